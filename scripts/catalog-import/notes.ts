export class Notes {
  readonly #todo: string[] = [];
  readonly #check: string[] = [];

  constructor(private readonly file: string) {}

  /** Adds a change that the author must make, such as a setting that the source file lacks. */
  todo(part: string, pointer: string, message: string): void {
    this.#todo.push(this.#line('to do', part, pointer, message));
  }

  /** Adds a guess that the author must compare with the documents of the vendor. */
  check(part: string, pointer: string, message: string): void {
    this.#check.push(this.#line('check', part, pointer, message));
  }

  get lines(): readonly string[] {
    return [...this.#todo, ...this.#check];
  }

  #line(kind: string, part: string, pointer: string, message: string): string {
    return `${kind}: ${this.file}${pointer}: ${part}: ${message}`.replace(/\p{Cc}+/gu, ' ');
  }
}
