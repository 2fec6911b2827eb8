import { toVariable } from '../names.js';
import type { Notes } from '../notes.js';
import type { Component } from './component.js';
import { type Template, toTemplate } from './templates.js';

export class ConfigFields {
  readonly #secrets: ReadonlySet<string>;
  readonly #used = new Map<string, string>();

  constructor(
    manifest: Component,
    private readonly notes: Notes,
  ) {
    const properties = manifest.child('spec')?.child('connection_specification')?.child('properties');
    const isSecret = (name: string): boolean => properties?.child(name)?.value('airbyte_secret') === true;
    this.#secrets = new Set(properties?.names.filter(isSecret));
  }

  /**
   * Adds a note and returns undefined if the draft cannot express the template, or if the template contains a secret.
   */
  convert(source: string, part: string, pointer: string): Template | undefined {
    const template = toTemplate(source);
    const secret = template?.fields.find((field) => this.#secrets.has(field));
    if (!template || secret) {
      const reason = secret ? `it contains the secret ${secret}` : 'the expression is not supported';
      this.notes.todo(part, pointer, `the draft omits ${source.slice(0, 100)}, because ${reason}`);
      return undefined;
    }
    for (const field of template.fields) this.#used.set(toVariable(field), field);
    return template;
  }

  get properties(): Record<string, unknown> {
    return Object.fromEntries([...this.#used].map(([name, title]) => [name, { type: 'string', title }]));
  }
}
