/** Shows an element of a row that scrolls sideways on narrow screens. */
export function scrollIntoRow(element: Element | null | undefined): void {
  element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
