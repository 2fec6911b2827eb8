import type { ConnectorTap } from '../catalog/model/connector-tap.js';
import type { TransportOption } from '../catalog/model/transport-option.js';
import type { Lean } from '../kernel/reading/reader.js';

/** An incremental read returns the records from `since` to `until`, inclusive. */
export interface ReadWindow {
  /** Undefined for the first read of a tap without `maxLookbackDays`. */
  readonly since?: Date;
  readonly until: Date;
}

/** Values that differ between the slices of a tap. */
export type SliceScope = Pick<TapReading, 'variables' | 'parentFields'>;

/** Settings and values that are the same for all requests of one slice. */
export interface TapReading {
  readonly tap: Lean<ConnectorTap>;
  readonly option: TransportOption;
  /** The tap run tries these options in order if the first page of a slice fails. */
  readonly alternatives?: readonly TransportOption[];
  /** Replaces `tap` and its options in a read without a saved cursor. Set if the tap has a `bootstrapTap`. */
  readonly bootstrap?: Pick<TapReading, 'tap' | 'option' | 'alternatives'>;
  /** For templates, without secrets. */
  readonly config: Readonly<Record<string, unknown>>;
  /** For templates: the item of the fan-out, and the key and other fields of the parent record. */
  readonly variables: Readonly<Record<string, string>>;
  /** Values that each record receives from its parent record, by field of the child record. */
  readonly parentFields: Readonly<Record<string, unknown>>;
  /** Undefined for a full read. */
  readonly window?: ReadWindow;
  /** Set if the connector discovers fields. */
  readonly wildcard?: {
    readonly token: string;
    readonly fieldNames: readonly string[];
    /** Set if one request cannot contain all fields. */
    readonly lists?: readonly (readonly string[])[];
  };
}

/** The part of a reading that is the same for all slices of a tap. */
export type PreparedTap = Omit<TapReading, 'variables' | 'parentFields' | 'window'>;
