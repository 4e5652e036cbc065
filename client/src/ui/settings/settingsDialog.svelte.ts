// Whether the settings are open. App.svelte shows them, so that they stay open when the language changes.

export const settingsDialog = $state({ open: false });
