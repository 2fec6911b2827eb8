export function printHeading(text: string): void {
  console.log(`\n${text}`);
}

export function printDetail(text: string): void {
  console.log(`   ${text}`);
}
