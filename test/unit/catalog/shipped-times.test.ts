import { describe, expect, it } from 'vitest';
import { readShippedDefinitions } from '../../../src/catalog/definitions/shipped-definitions.js';
import { completeRecord } from '../../../src/syncs/responses/complete-record.js';
import { ObjectConverter } from '../../../src/tables/records/convert-object.js';
import { schemaOfTap } from '../../../src/tables/records/record-schema.js';
import { aReading } from '../../support/syncs/tap-reading.js';

interface VendorTimes {
  /** Times as the vendor writes them. */
  readonly written: readonly string[];
  /** Match the names of the taps and fields with times in the format of `written`. */
  readonly taps: RegExp;
  readonly fields: RegExp;
}

/** Vendors whose time fields have a format other than RFC 3339, or more than six decimal places of a second. */
const VENDORS: Readonly<Record<string, VendorTimes>> = {
  gorgias: {
    written: ['2026-01-31T12:00:00.123456', '2026-01-31T12:00:00.123456+00:00'],
    taps: /./,
    fields: /./,
  },
  mailchimp: {
    written: ['', '2026-01-31T12:00:00+00:00'],
    taps: /^(members|campaigns|reports|automations)$/,
    fields: /^(timestamp_signup|timestamp_opt|send_time|start_time)$/,
  },
  microsoft: { written: ['2026-01-31T12:00:00.1234567Z', '2026-01-31T12:00:00.12Z'], taps: /^events$/, fields: /./ },
  paypal: { written: ['2026-01-31T12:00:00+0000'], taps: /^transactions$/, fields: /^transaction_/ },
  servicenow: { written: ['2026-01-31 12:00:00', ''], taps: /./, fields: /./ },
  // The service reads `tasks` from the results of query jobs. Times in these results end with `Z`.
  salesforce: { written: ['2026-01-31T12:00:00.000+0000'], taps: /^(?!tasks$)/, fields: /./ },
  surveymonkey: { written: ['2026-01-31T12:00:00'], taps: /^(surveys|survey_details)$/, fields: /./ },
  woocommerce: { written: ['2026-01-31T12:00:00'], taps: /./, fields: /_gmt$/ },
};

const definitions = await readShippedDefinitions();
const taps = definitions.flatMap(({ slug, connectors = [] }) =>
  connectors.flatMap((connector) => (connector.taps ?? []).map((tap) => ({ slug, tap, times: VENDORS[slug] }))),
);

describe.each(taps.filter(({ tap, times }) => times?.taps.test(tap.name)))('$slug $tap.name', ({ tap, times }) => {
  const properties = Object.entries(tap.schema.properties as Record<string, { format?: string }>);
  const fields = properties.flatMap(([name, { format }]) =>
    format === 'date-time' && times?.fields.test(name) ? [name] : [],
  );
  const converter = new ObjectConverter(schemaOfTap(tap.schema));
  const stored = (record: object) => converter.convert(completeRecord(aReading({ tap }), { ...record }).record);

  it('stores the times as the vendor writes them', () => {
    const outcomes = times?.written.map((time) => stored(Object.fromEntries(fields.map((name) => [name, time]))));
    expect(outcomes?.filter((outcome) => 'reason' in outcome)).toEqual([]);
  });

  it('stores records without these times', () => expect(stored({})).not.toHaveProperty('reason'));
});
