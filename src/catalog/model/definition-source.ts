import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';

@PlainObjectType('A public document or repository that confirms settings of a definition.')
export class DefinitionSource {
  @OptionalField('Title or address of the document. Null if the source is a repository.')
  document?: string;

  @OptionalField('Owner and name of the repository, such as `acme/openapi`. Null if the source is a document.')
  repository?: string;

  @OptionalField('Path in the repository. Null for the whole repository.')
  path?: string;

  @RequiredField('Date of the last comparison of the definition with the document or repository, such as `2026-11-22`.')
  checkedAt: string;
}

export const SOURCES_DESCRIPTION =
  'Public documents and repositories that confirm the settings. Null if the definition names none.';

export const UNVERIFIED_DESCRIPTION =
  'Settings that none of the `sources` confirms, as paths in the definition, such as `verification.failures`. Null if there are none.';
