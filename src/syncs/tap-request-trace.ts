import { Int } from 'type-graphql';
import { SyncErrorClass } from '../catalog/model/sync-error-class.js';
import { OptionalField, PlainObjectType, RequiredField } from '../kernel/entities/column-decorators.js';
import { DateTime } from '../kernel/entities/scalars.js';

@PlainObjectType('The method, URL and result of a request to a vendor. Contains no headers, body or secrets.')
export class TapRequestTrace {
  @RequiredField('When the request was sent.', () => DateTime)
  at: Date;

  @RequiredField('HTTP method.')
  method: string;

  @RequiredField('URL. Secrets are replaced with `***`.')
  url: string;

  @OptionalField('HTTP status. Null without a response.', () => Int)
  status?: number;

  @RequiredField('Duration of the request in milliseconds, until the service had read the response.', () => Int)
  durationMs: number;

  @RequiredField('Size of the response body, in bytes.', () => Int)
  bytes: number;

  @RequiredField('Number of the attempt, from 1.', () => Int)
  attempt: number;

  @OptionalField('Class of the failure. Null for a successful request.', () => SyncErrorClass)
  errorClass?: SyncErrorClass;
}
