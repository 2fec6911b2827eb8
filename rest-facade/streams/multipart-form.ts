import type { IncomingMessage } from 'node:http';
import { finished, Readable } from 'node:stream';
import busboy from 'busboy';
import { FacadeError } from '../errors.js';
import { quoteName } from '../quote-name.js';

/**
 * Bytes beside texts and file: boundaries, headers of parts, what stands before the first boundary and after the last. Counted by what arrives at
 * once, up to 64 KiB, which may hold a little of the file as well.
 */
const MAX_OVERHEAD_BYTES = 128 * 1024;

/** Characters of a Content-Type. A boundary may have 70 (RFC 2046, section 5.1.1). */
const MAX_CONTENT_TYPE_CHARACTERS = 200;

const MULTIPART_TYPE = /^multipart\/form-data *;.*\bboundary="?[^"\s;]/i;

interface FormRules {
  /** The parts with text, each once at most: the bytes that each may have. Without `stage` all of them come before the file. */
  readonly texts: Readonly<Record<string, number>>;
  /** Name of the part with the file, where it has to have a certain one. */
  readonly file?: string;
  /** Keeps a file that comes before one of the texts, and resolves to a stream of it once it has arrived. Rejects with what is thrown over the form. */
  readonly stage?: (file: FilePart) => Promise<Readable>;
  /** What is thrown over a form that is refused, and what the bytes of its file are destroyed with. `part` is the one to blame. */
  readonly reject: (message: string, part?: string) => Error;
}

export interface FilePart {
  /** Name of the part. */
  readonly part: string;
  /** Name of the file as the client wrote it: it may hold a path or anything else. */
  readonly name: string | undefined;
  /** Ends only once the whole form has arrived and is as it should be; where it is not, or the client leaves, it is destroyed. */
  readonly bytes: Readable;
  /** Of the whole request, in bytes, where it is announced. */
  readonly length: number | undefined;
}

export interface MultipartForm {
  readonly texts: ReadonlyMap<string, string>;
  readonly file: FilePart | undefined;
}

/**
 * Reads a form (RFC 7578) with texts and one file. `work` is called as soon as the file begins after all texts, else at the end of the form, and
 * may be done before the file is: whatever is not read then is let go of. A client that leaves and a form that turns out to be wrong are thrown
 * in place of what `work` throws, which is a consequence. Throws UNSUPPORTED_MEDIA_TYPE where there is no such form.
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
  /** Texts that are sent as files are, and a file that is staged. */
  readonly #pending: Promise<void>[] = [];
  readonly #parser: busboy.Busboy;
  readonly #settle: PromiseWithResolvers<MultipartForm>;
  /** Of the file, where it is passed on while it arrives. */
  #bytes: Readable | undefined;
  /** Of the file, where it waits for the end of the form. */
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
    this.#parser.on('file', (name, bytes, { filename }) => this.#takeFile(name, bytes, filename));
    this.#parser.on('partsLimit', () => this.#refuse('The form has too many parts.'));
    this.#parser.on('error', () => this.#refuse('The form is malformed, or breaks off before its last boundary.'));
    this.#parser.on('finish', () => this.#end());
    finished(request, (error) => error && this.#refuse('The body did not arrive whole.'));
    request.pipe(this.#parser);
    request.on('data', this.#count); // once the parser has seen it
  }

  /** From here on what arrives is thrown away. */
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
    const most = Object.values(this.rules.texts).reduce((sum, bytes) => sum + bytes, MAX_OVERHEAD_BYTES);
    if (this.#overheadBytes > most) this.#refuse('The form has too much around its file.');
  };

  #takeText(name: string | undefined, text: string | undefined): void {
    if (this.#claim(name ?? '')) this.#keep(name as string, text);
  }

  /** Whether a part with a text may stand where it does. */
  #claim(name: string): boolean {
    const refuse = (message: string): boolean => Boolean(this.#refuse(message, name));
    if (name === this.rules.file) return refuse(`${name} must be a file, with a filename.`);
    if (!Object.hasOwn(this.rules.texts, name)) return refuse(`${quoteName(name)} is not a text of this form.`);
    if (this.#claimed.has(name)) return refuse(`${name} is given more than once.`);
    if (this.#bytes) return refuse(`${name} comes before the file.`);
    this.#claimed.add(name);
    return true;
  }

  #keep(name: string, text: string | undefined): void {
    const most = this.rules.texts[name] as number;
    if (Buffer.byteLength(text ?? '') > most) this.#refuse(`${name} may have ${most} bytes.`, name);
    // What cannot be decoded is decoded to U+FFFD.
    else if (text === undefined || text.includes('\ufffd')) this.#refuse(`${name} is not UTF-8.`, name);
    else this.#texts.set(name, text);
  }

  #takeFile(name: string | undefined, part: Readable, filename: string | undefined): void {
    part.on('error', ignore); // the parser fails as well
    if (this.#isReleased) return;
    if (name !== undefined && Object.hasOwn(this.rules.texts, name)) {
      if (this.#claim(name)) this.#pending.push(this.#collect(name, part).catch(ignore));
    } else if (this.#bytes ?? this.#part) {
      this.#refuse('There is more than one file.', name);
    } else if (name !== (this.rules.file ?? name)) {
      this.#refuse(`The file must be the part of the name ${this.rules.file}.`);
    } else {
      this.#isInFile = true;
      part.on('end', () => (this.#isInFile = false));
      const length = this.request.headers['content-length'];
      const file = { part: name ?? '', name: filename, length: length === undefined ? undefined : Number(length) };
      this.#beginFile(file, part);
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
      if (error !== part.errored) this.#fail(error); // otherwise the part broke off, and the form is refused for that
    };
    this.#pending.push(stage({ ...file, bytes: part }).then(keep, fail));
  }

  /** All that the part yields, but not its end. */
  #bytesOf(part: Readable): Readable {
    const bytes = new Readable({
      read: () => part.resume(),
      destroy: (error, done) => {
        this.release();
        done(error);
      },
    });
    bytes.on('error', ignore); // for whoever reads it, and nobody may
    part.on('data', (chunk) => {
      if (!bytes.push(chunk)) part.pause();
    });
    part.pause();
    return bytes;
  }

  /** A text that is sent as a file is, as browsers send a Blob. */
  async #collect(name: string, part: Readable): Promise<void> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of part) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > (this.rules.texts[name] as number)) break;
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
  if (encoding !== 'identity') throw new FacadeError('UNSUPPORTED_MEDIA_TYPE', 'The body may not be compressed.');
  if (!MULTIPART_TYPE.test(type) || type.length > MAX_CONTENT_TYPE_CHARACTERS) throw notMultipartError();
  // One more of each than there may be: its limits are told of when they are reached.
  const limits = { fieldSize: Math.max(...Object.values(texts)) + 1, parts: Object.keys(texts).length + 2 };
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
