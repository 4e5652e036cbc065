// Cards by keys, anywhere on a page: rank, then suit. Q h is the queen of hearts; Backspace takes the last one back.

export function cardKeyInput(put: (card: string) => void, takeBack: () => void): (event: KeyboardEvent) => void {
  let rank = '';
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog, [popover]'))
      return;
    const key = event.key.toUpperCase();
    if (rank !== '' && /^[SHDC]$/.test(key)) {
      put(rank + key.toLowerCase());
      rank = '';
    } else if (/^[2-9TJQKA]$/.test(key)) {
      rank = key;
    } else if (event.key === 'Backspace') {
      takeBack();
    } else {
      rank = '';
      return;
    }
    event.preventDefault();
  };
}
