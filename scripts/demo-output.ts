export function say(text: string): void {
  console.log(`\n${text}`);
}

export function note(text: string): void {
  console.log(`   ${text}`);
}
