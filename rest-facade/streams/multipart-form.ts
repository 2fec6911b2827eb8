import type { IncomingMessage } from 'node:http';
import { finished, Readable } from 'node:stream';
import busboy from 'busboy';
import type { ByteLimit } from '../byte-limit.js';
import { FacadeError } from '../errors.js';
import { quoteName } from '../quote-name.js';

/**
 * Maximum size of boundaries, part headers, preamble and epilogue. The reader counts whole chunks of up to 64 KiB, so
 * the count may include the start of the file.
 */
const MAX_OVERHEAD: ByteLimit = { bytes: 128 * 1024, text: '128 KiB' };

/** A boundary has at most 70 characters (RFC 2046, section 5.1.1). */
const MAX_CONTENT_TYPE_CHARACTERS = 200;

const MULTIPART_TYPE = /^multipart\/form-data *;.*\bboundary="?[^"\s;]/i;

interface FormRules {
  /** Limits of the text parts. Each part may occur once. Without `stage`, the text parts must precede the file. */
  readonly texts: Readonly<Record<string, ByteLimit>>;
  /** Name of the file part. If undefined, any name is valid. */
  readonly file?: string;
  /**
   * Stores a file that begins before all text parts have arrived. Resolves after the file has arrived, to a stream of
   * the stored file. If the promise rejects, the form fails with the same error.
   */
  readonly stage?: (file: FilePart) => Promise<Readable>;
  /**
   * Creates the error for a rejected form. `part` is the invalid part. `FormReader` also destroys the stream
   * of the file, with the same error.
   */
  readonly reject: (message: string, part?: string) => Error;
}

export interface FilePart {
  readonly fieldName: string;
  /** Name that the client sent. The facade has not validated the name, which may be a path. */
  readonly filename: string | undefined;
  /** Media type that the client sent. The content may have another type. */
  readonly mimetype: string;
  readonly encoding: string;
  /**
   * Ends only after the whole form has arrived and is valid. If the form is invalid or the client disconnects,
   * `FormReader` destroys the stream.
   */
  readonly bytes: Readable;
  /** Content-Length of the whole request, if the client sent this header. */
  readonly length: number | undefined;
}

export interface MultipartForm {
  readonly texts: ReadonlyMap<string, string>;
  readonly file: FilePart | undefined;
}

/**
 * Reads a form (RFC 7578) with text parts and one file. Calls `work` when the file starts. If `stage` is set and text
 * parts are still missing, calls `work` at the end of the form instead. If `work` finishes before the file has arrived,
 * discards the rest. If the client disconnects or the form is invalid, throws the error for this cause, and not the
 * error of `work` that follows from it. Throws UNSUPPORTED_MEDIA_TYPE if the body is not a form.
 */
export async function readMultipartForm<Result>(
  request: IncomingMessage,
  rules: FormRules,
  work: (form: MultipartForm) => Promise<Result>,
): Promise<Result> {
  const reading = new FormReader(request, rules);
  try {
    return await work(await reading.form);
  } catch (error) {
    throw reading.error ?? error;
  } finally {
    reading.release();
  }
}

class FormReader {
  readonly form: Promise<MultipartForm>;
  error: Error | undefined;
  readonly #texts = new Map<string, string>();
  readonly #claimed = new Set<string>();
  /** Promises of text parts that the client sent as files, and of a file that `stage` stores. */
  readonly #pending: Promise<void>[] = [];
  readonly #parser: busboy.Busboy;
  readonly #settle: PromiseWithResolvers<MultipartForm>;
  /** Stream that `work` reads while the file arrives. */
  #bytes: Readable | undefined;
  /** File part that `stage` reads. */
  #part: Readable | undefined;
  #staged: FilePart | undefined;
  #isInFile = false;
  #isReleased = false;
  #overheadBytes = 0;

  constructor(
    private readonly request: IncomingMessage,
    private readonly rules: FormRules,
  ) {
    this.#settle = Promise.withResolvers();
    this.form = this.#settle.promise;
    this.#parser = parserOf(request, rules);
    this.#parser.on('field', (name, text) => this.#takeText(name, text));
    this.#parser.on('file', (name, bytes, info) => this.#takeFile(name, bytes, info));
    this.#parser.on('partsLimit', () =>
      this.#refuse('The form has too many parts. Send each text field at most once, and one file.'),
    );
    this.#parser.on('error', () => this.#refuse('The form is malformed or ends before its last boundary.'));
    this.#parser.on('finish', () => this.#end());
    finished(request, (error) => error && this.#refuse('The body ended early. Send the request again.'));
    request.pipe(this.#parser);
    request.on('data', this.#count); // Runs after the parser's listener has processed the chunk.
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.request.off('data', this.#count).unpipe(this.#parser).resume();
    for (const bytes of [this.#bytes, this.#part, this.#staged?.bytes]) bytes?.destroy();
  }

  #refuse(message: string, part?: string): void {
    if (!this.#isReleased) this.#fail(this.rules.reject(message, part));
  }

  #fail(fault: Error): void {
    if (this.#isReleased) return;
    this.error = fault;
    this.#settle.reject(this.error);
    for (const bytes of [this.#bytes, this.#part]) bytes?.destroy(this.error);
    this.release();
  }

  readonly #count = ({ length }: Buffer): void => {
    if (this.#isInFile) return;
    this.#overheadBytes += length;
    const most = Object.values(this.rules.texts).reduce((sum, { bytes }) => sum + bytes, MAX_OVERHEAD.bytes);
    if (this.#overheadBytes > most)
      this.#refuse(`The boundaries and part headers of the form exceed the limit of ${MAX_OVERHEAD.text}.`);
  };

  #takeText(name: string | undefined, text: string | undefined): void {
    if (this.#claim(name ?? '')) this.#keep(name as string, text);
  }

  /** If the text part is not allowed at this place, rejects the form and returns false. */
  #claim(name: string): boolean {
    const refuse = (message: string): boolean => Boolean(this.#refuse(message, name));
    if (name === this.rules.file) return refuse(`${name} must be a file with a filename.`);
    if (!Object.hasOwn(this.rules.texts, name)) return refuse(`${quoteName(name)} is not a text part of this form.`);
    if (this.#claimed.has(name)) return refuse(`${name} is given more than once.`);
    if (this.#bytes) return refuse(`${name} must precede the file.`);
    this.#claimed.add(name);
    return true;
  }

  #keep(name: string, text: string | undefined): void {
    const limit = this.rules.texts[name] as ByteLimit;
    if (Buffer.byteLength(text ?? '') > limit.bytes) this.#refuse(`${name} exceeds the limit of ${limit.text}.`, name);
    // The decoder replaces invalid bytes with U+FFFD.
    else if (text === undefined || text.includes('\ufffd')) this.#refuse(`${name} is not valid UTF-8.`, name);
    else this.#texts.set(name, text);
  }

  #takeFile(name: string | undefined, part: Readable, { mimeType: mimetype, ...info }: busboy.FileInfo): void {
    part.on('error', ignore); // The parser fails with the same error.
    if (this.#isReleased) return;
    if (name !== undefined && Object.hasOwn(this.rules.texts, name)) {
      if (this.#claim(name)) this.#pending.push(this.#collect(name, part).catch(ignore));
    } else if (this.#bytes ?? this.#part) {
      this.#refuse('The form has more than one file. Send one file.', name);
    } else if (name !== (this.rules.file ?? name)) {
      this.#refuse(`The file must be in the part ${this.rules.file}.`);
    } else {
      this.#isInFile = true;
      part.on('end', () => (this.#isInFile = false));
      const length = this.request.headers['content-length'];
      const sent = { fieldName: name ?? '', length: length === undefined ? undefined : Number(length) };
      this.#beginFile({ ...sent, ...info, mimetype }, part);
    }
  }

  #beginFile(file: Omit<FilePart, 'bytes'>, part: Readable): void {
    const { stage, texts } = this.rules;
    if (!stage || Object.keys(texts).every((name) => this.#claimed.has(name))) {
      this.#bytes = this.#bytesOf(part);
      this.#begin({ ...file, bytes: this.#bytes });
      return;
    }
    this.#part = part;
    const keep = (bytes: Readable): void => {
      this.#staged = { ...file, bytes };
      if (this.#isReleased) bytes.destroy();
    };
    const fail = (error: Error): void => {
      // If the part itself has failed, `FormReader` has already rejected the form.
      if (error !== part.errored) this.#fail(error);
    };
    this.#pending.push(stage({ ...file, bytes: part }).then(keep, fail));
  }

  /** The returned stream does not end at the end of the part, but at the end of the form. */
  #bytesOf(part: Readable): Readable {
    const bytes = new Readable({
      read: () => part.resume(),
      destroy: (error, done) => {
        this.release();
        done(error);
      },
    });
    bytes.on('error', ignore); // The file may have no reader, and an error without a listener would end the process.
    part.on('data', (chunk) => {
      if (!bytes.push(chunk)) part.pause();
    });
    part.pause();
    return bytes;
  }

  /** Reads a text field that the client sent as a file part, as browsers do with a Blob. */
  async #collect(name: string, part: Readable): Promise<void> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of part) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > (this.rules.texts[name] as ByteLimit).bytes) break;
    }
    this.#keep(name, Buffer.concat(chunks).toString());
  }

  #begin(file?: FilePart): void {
    Promise.all(this.#pending).then(
      () => this.#settle.resolve({ texts: this.#texts, file: file ?? this.#staged }),
      ignore,
    );
  }

  #end(): void {
    if (this.#bytes) this.#bytes.push(null);
    else this.#begin();
  }
}

function parserOf(request: IncomingMessage, { texts }: FormRules): busboy.Busboy {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding !== 'identity') throw new FacadeError('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed.');
  if (!MULTIPART_TYPE.test(type) || type.length > MAX_CONTENT_TYPE_CHARACTERS) throw notMultipartError();
  // busboy reports a limit when the form reaches it, so each limit is one more than the permitted maximum. The parts
  // include the file.
  const longest = Math.max(...Object.values(texts).map(({ bytes }) => bytes));
  const limits = { fieldSize: longest + 1, parts: Object.keys(texts).length + 2 };
  try {
    return busboy({ headers: { 'content-type': type }, defParamCharset: 'utf8', preservePath: true, limits });
  } catch {
    throw notMultipartError();
  }
}

function notMultipartError(): FacadeError {
  return new FacadeError('UNSUPPORTED_MEDIA_TYPE', 'The body must be multipart/form-data with a boundary.');
}

function ignore(): void {}
