/** Non-ASCII letters of each language, in lower case: first the usual letters, then letters of loanwords. */
const ALPHABETS = {
  german: ['äöüß', 'éàè'],
  french: ['éèàêçâîôûùëïœ', 'ÿæüñ'],
  spanish: ['áéíóúñü', 'ç'],
  italian: ['àèéìòù', 'íîóú'],
  portuguese: ['ãáçéêóõíâúàô', 'üè'],
  catalan: ['àçèéíïòóúü', 'ñá'],
  dutch: ['ëéïèüö', 'êóáçâîôûíúä'],
  danish: ['æøå', 'éóüöä'],
  swedish: ['åäö', 'éüšžàôñ'],
  icelandic: ['ðþæöáéíóúý', ''],
  polish: ['ąćęłńóśźż', 'éöü'],
  czech: ['áčďéěíňóřšťúůýž', 'öüä'],
  slovak: ['áäčďéíĺľňóôŕšťúýž', 'öüě'],
  hungarian: ['áéíóöőúüű', 'ä'],
  slovene: ['čšž', 'ćđöüáé'],
  croatian: ['čćđšž', 'éöü'],
  romanian: ['ăâîșțşţ', 'éöü'],
  turkish: ['çğıöşüİ', 'âîû'],
  albanian: ['ëç', ''],
  estonian: ['äöüõ', 'šžé'],
  latvian: ['āčēģīķļņšūž', 'ōŗ'],
  lithuanian: ['ąčęėįšųūž', ''],
  welsh: ['âêîôûŵŷ', 'áéëïöü'],
  irish: ['áéíóú', ''],
  esperanto: ['ĉĝĥĵŝŭ', ''],
  maltese: ['ċġħż', 'àèìòù'],
} as const satisfies Readonly<Record<string, readonly [usual: string, rare: string]>>;

type Language = keyof typeof ALPHABETS;

/**
 * Cost by non-ASCII letter. In a language with few non-ASCII letters, each of them is stronger evidence, so it
 * costs less.
 */
export type Alphabet = ReadonlyMap<string, number>;

const COST_OF_SIZE = 0.5;
const COST_OF_RARITY = 0.7;

function alphabetOf(language: Language): Alphabet {
  const [usual, rare] = ALPHABETS[language];
  const cost = COST_OF_SIZE * Math.log(usual.length);
  return new Map([...bothCases(rare, cost + COST_OF_RARITY), ...bothCases(usual, cost)]);
}

function bothCases(letters: string, cost: number): [string, number][] {
  return [...letters].flatMap((letter) => [letter, letter.toUpperCase()].map((one): [string, number] => [one, cost]));
}

interface EncodingGroup {
  readonly alphabets: readonly Alphabet[];
  /** Cost of each encoding. Encodings that current systems use cost the least. */
  readonly encodings: Readonly<Record<string, number>>;
}

function group(encodings: Readonly<Record<string, number>>, ...languages: readonly Language[]): EncodingGroup {
  return { encodings, alphabets: languages.map(alphabetOf) };
}

/** Encodings of Latin script, and the languages for which they were made. */
export const LATIN_ENCODINGS: readonly EncodingGroup[] = [
  group(
    { 'windows-1252': 0, 'iso-8859-15': 1, cp850: 1.5, macintosh: 1.5 },
    ...(['german', 'french', 'spanish', 'italian', 'portuguese', 'catalan', 'dutch', 'danish', 'swedish'] as const),
    ...(['icelandic', 'albanian', 'irish', 'estonian'] as const),
  ),
  group(
    { 'windows-1250': 0.5, 'iso-8859-2': 1.5, cp852: 2, maccenteuro: 2.5, 'iso-8859-16': 3 },
    ...(['polish', 'czech', 'slovak', 'hungarian', 'slovene', 'croatian', 'romanian', 'albanian', 'german'] as const),
  ),
  group({ 'windows-1254': 1, 'iso-8859-9': 1.5, cp857: 2.5, macturkish: 2.5 }, 'turkish'),
  group(
    { 'windows-1257': 1, 'iso-8859-13': 2, cp775: 2.5, 'iso-8859-4': 3 },
    ...(['estonian', 'latvian', 'lithuanian'] as const),
  ),
  group({ 'iso-8859-14': 3 }, 'welsh', 'irish'),
  group({ 'iso-8859-3': 3 }, 'esperanto', 'maltese'),
];
