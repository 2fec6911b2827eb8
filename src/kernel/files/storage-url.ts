import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface BucketLocation {
  readonly bucket: string;
  /** No trailing slash. May be empty. */
  readonly prefix: string;
  /** Undefined for the AWS endpoint of the region. */
  readonly endpoint: string | undefined;
  /** Undefined for the default region of the AWS SDK. */
  readonly region: string | undefined;
  /** Whether URLs contain the bucket in the path instead of the host. Most self-hosted servers require this. */
  readonly forcePathStyle: boolean;
}

export type StorageLocation = { readonly folder: string } | BucketLocation;

/** The message does not quote the URL. */
export class StorageUrlError extends Error {
  override readonly name = 'StorageUrlError';
}

const EXAMPLES = 'must be a URL such as file:///var/lib/taproot/files or s3://bucket/prefix?region=eu-central-1';

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** S3 accepts keys of at most 1,024 bytes. `MAX_PREFIX_LENGTH` leaves room for a file key of 200 bytes. */
const PREFIX = /^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*$/;
const MAX_PREFIX_LENGTH = 800;

const PARAMETERS: Readonly<Record<string, { readonly fits: RegExp; readonly fault: string }>> = {
  endpoint: {
    fits: /^https?:\/\/[^/?#@]+\/?$/,
    fault: 'must have an endpoint such as http://127.0.0.1:9000, without user or path',
  },
  region: { fits: /^[a-z0-9-]{1,64}$/, fault: 'must have a region such as eu-central-1' },
  forcePathStyle: { fits: /^(true|false)$/, fault: 'must have forcePathStyle=true or forcePathStyle=false' },
};

/**
 * Parses `file:///abs/path` and `s3://bucket/prefix?endpoint=...&region=...&forcePathStyle=true`. Throws
 * `StorageUrlError`.
 */
export function parseStorageUrl(text: string): StorageLocation {
  const url = URL.parse(text);
  if (url?.protocol === 'file:' && text.startsWith('file:///')) return { folder: folderOf(url) };
  if (url?.protocol === 's3:') return bucketOf(url);
  throw new StorageUrlError(EXAMPLES);
}

function folderOf(url: URL): string {
  if (url.search || url.hash || /%(2f|00)/i.test(url.pathname)) throw new StorageUrlError(EXAMPLES);
  const folder = resolve(fileURLToPath(url));
  if (folder === resolve('/')) throw new StorageUrlError('must name a folder below the root');
  return folder;
}

function bucketOf(url: URL): BucketLocation {
  const given = [...url.searchParams.keys()];
  const prefix = url.pathname.replace(/^\/|\/$/g, '');
  const rules: [isBroken: boolean, fault: string][] = [
    [
      url.username !== '' || url.password !== '',
      'must not contain credentials. Set the environment variables of the AWS SDK',
    ],
    [!BUCKET.test(url.host) || url.hash !== '', EXAMPLES],
    [
      prefix !== '' && !(PREFIX.test(prefix) && prefix.length <= MAX_PREFIX_LENGTH),
      `has an invalid prefix. A prefix has at most ${MAX_PREFIX_LENGTH} characters (letters, digits and - _ . /). Each part between slashes must start with a letter or digit`,
    ],
    [
      given.some((name) => !Object.hasOwn(PARAMETERS, name)) || new Set(given).size < given.length,
      `must have only the parameters ${Object.keys(PARAMETERS).join(', ')}, each at most once`,
    ],
    ...Object.entries(PARAMETERS).map(([name, { fits, fault }]): [boolean, string] => {
      const value = url.searchParams.get(name);
      return [value !== null && !(fits.test(value) && (name !== 'endpoint' || URL.canParse(value))), fault];
    }),
  ];
  const [, fault] = rules.find(([isBroken]) => isBroken) ?? [];
  if (fault) throw new StorageUrlError(fault);
  const [endpoint, region, style] = Object.keys(PARAMETERS).map((name) => url.searchParams.get(name) ?? undefined);
  // The SDK requires a region, which most self-hosted servers ignore.
  const usual = endpoint === undefined ? undefined : 'us-east-1';
  return { bucket: url.host, prefix, endpoint, region: region ?? usual, forcePathStyle: style === 'true' };
}
