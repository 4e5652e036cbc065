// Who uses this browser, for the header; the lobby and the account page change it.

export const person = $state<{ name: string }>({ name: '' });
