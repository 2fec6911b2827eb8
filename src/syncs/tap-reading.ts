import type { ConnectorTap } from '../catalog/model/connector-tap.js';
import type { TransportOption } from '../catalog/model/transport-option.js';
import type { Lean } from '../kernel/reading/reader.js';

/** Times between which an incremental read returns records. Both are included. */
export interface ReadWindow {
  /** Start of the window; undefined for the first read of a tap without `maxLookbackDays`. */
  readonly since?: Date;
  readonly until: Date;
}

/** Values that distinguish the slices of a tap. */
export type SliceScope = Pick<TapReading, 'variables' | 'parentFields'>;

/** The settings and values of all requests of one slice of a tap. Immutable for the whole slice. */
export interface TapReading {
  readonly tap: Lean<ConnectorTap>;
  /** The transport option of the tap in use. */
  readonly option: TransportOption;
  /** Further options, tried one after the other if the first page of a slice cannot be read. */
  readonly alternatives?: readonly TransportOption[];
  /** Requests and records of a read without a saved cursor, for a tap with `bootstrapTap`. */
  readonly bootstrap?: Pick<TapReading, 'tap' | 'option' | 'alternatives'>;
  /** Values of the customer's configuration that templates may contain, without secrets. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Values of request variables by name: the fan-out item, the parent key and the parent context fields. */
  readonly variables: Readonly<Record<string, string>>;
  /** Values that each record receives from its parent record, by field of the child record. */
  readonly parentFields: Readonly<Record<string, unknown>>;
  /** The window of the slice; undefined if the tap is read in full. */
  readonly window?: ReadWindow;
  /** Replacement of the wildcard token in queries, if the connector discovers fields at run time. */
  readonly wildcard?: {
    readonly token: string;
    readonly fieldNames: readonly string[];
    /** The names in several lists, if they are too long for one request. */
    readonly lists?: readonly (readonly string[])[];
  };
}
