// A component drawn into the page, and what a person does to its fields.

import { flushSync, mount, unmount, type Component } from 'svelte';
import { onTestFinished } from 'vitest';

/** Draw a component; it goes with the end of the test. */
export function draw<Props extends Record<string, unknown>>(component: Component<Props>, props: Props): void {
  const drawn = mount(component, { target: document.body, props });
  onTestFinished(() => void unmount(drawn));
  flushSync();
}

/** The element with a test id. */
export function at<Kind extends HTMLElement = HTMLElement>(testid: string): Kind {
  const found = seen<Kind>(testid);
  if (found === null) throw new Error(`nothing is called ${testid}: ${document.body.innerHTML}`);
  return found;
}

/** The element with a test id, null where there is none. */
export const seen = <Kind extends HTMLElement = HTMLElement>(testid: string): Kind | null =>
  document.querySelector<Kind>(`[data-testid="${testid}"]`);

/** Put something into a field, as typing does; `and`: what comes after it, such as leaving the field. */
export function fill(
  field: HTMLInputElement | HTMLSelectElement,
  value: string,
  and: 'input' | 'change' = 'input',
): void {
  field.value = value;
  field.dispatchEvent(new Event(and, { bubbles: true }));
  flushSync();
}

export function press(testid: string): void {
  at(testid).click();
  flushSync();
}
