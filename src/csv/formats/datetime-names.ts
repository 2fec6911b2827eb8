/** Names of months and weekdays in one language, in lower case. */
export interface DatetimeNames {
  readonly months: NameList;
  readonly weekdays: NameList;
}

export interface NameList {
  /** Position of each name, starting at 1. */
  readonly full: ReadonlyMap<string, number>;
  readonly short: ReadonlyMap<string, number>;
}

/**
 * For each language (ISO 639-1): months, abbreviated months, weekdays and abbreviated weekdays. The weekdays start with
 * Monday. `|` separates names with the same meaning.
 */
const NAMES = {
  en: [
    'january february march april may june july august september october november december',
    'jan feb mar apr may jun jul aug sep|sept oct nov dec',
    'monday tuesday wednesday thursday friday saturday sunday',
    'mon tue wed thu fri sat sun',
  ],
  de: [
    'januar|jänner februar märz april mai juni juli august september oktober november dezember',
    'jan feb mär|mrz|märz apr mai jun|juni jul|juli aug sep|sept okt nov dez',
    'montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag',
    'mo di mi do fr sa so',
  ],
  fr: [
    'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    'janv|jan févr|fév mars|mar avr mai juin juil août|aoû sept|sep oct nov déc',
    'lundi mardi mercredi jeudi vendredi samedi dimanche',
    'lun mar mer jeu ven sam dim',
  ],
  es: [
    'enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre',
    'ene feb mar abr may jun jul ago sept|sep|set oct nov dic',
    'lunes martes miércoles jueves viernes sábado domingo',
    'lun mar mié jue vie sáb dom',
  ],
  it: [
    'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
    'gen feb mar apr mag giu lug ago set ott nov dic',
    'lunedì martedì mercoledì giovedì venerdì sabato domenica',
    'lun mar mer gio ven sab dom',
  ],
  pt: [
    'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    'jan fev mar abr mai jun jul ago set out nov dez',
    'segunda terça quarta quinta sexta sábado domingo',
    'seg ter qua qui sex sáb dom',
  ],
  nl: [
    'januari februari maart april mei juni juli augustus september oktober november december',
    'jan feb mrt apr mei jun jul aug sep okt nov dec',
    'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
    'ma di wo do vr za zo',
  ],
  pl: [
    'stycznia|styczeń lutego|luty marca|marzec kwietnia|kwiecień maja|maj czerwca|czerwiec lipca|lipiec sierpnia|sierpień września|wrzesień października|październik listopada|listopad grudnia|grudzień',
    'sty lut mar kwi maj cze lip sie wrz paź lis gru',
    'poniedziałek wtorek środa czwartek piątek sobota niedziela',
    'pon|pn wt śr czw|cz pt sob|sb niedz|nd',
  ],
  sv: [
    'januari februari mars april maj juni juli augusti september oktober november december',
    'jan feb mar|mars apr maj jun|juni jul|juli aug sep|sept okt nov dec',
    'måndag tisdag onsdag torsdag fredag lördag söndag',
    'mån tis ons tors|tor fre lör sön',
  ],
  da: [
    'januar februar marts april maj juni juli august september oktober november december',
    'jan feb mar apr maj jun jul aug sep okt nov dec',
    'mandag tirsdag onsdag torsdag fredag lørdag søndag',
    'man tirs|tir ons tors|tor fre lør søn',
  ],
  nb: [
    'januar februar mars april mai juni juli august september oktober november desember',
    'jan feb mar|mars apr mai jun|juni jul|juli aug sep okt nov des',
    'mandag tirsdag onsdag torsdag fredag lørdag søndag',
    'man tir ons tor fre lør søn',
  ],
  cs: [
    'ledna|leden února|únor března|březen dubna|duben května|květen června|červen července|červenec srpna|srpen září října|říjen listopadu|listopad prosince|prosinec',
    'led úno bře dub kvě čvn čvc srp zář říj lis pro',
    'pondělí úterý středa čtvrtek pátek sobota neděle',
    'po út st čt pá so ne',
  ],
} as const;

export const ENGLISH = 'en';

/** In order of preference. The order matters if the month or weekday names in a column exist in several languages. */
export const DATETIME_LANGUAGES: ReadonlyMap<string, DatetimeNames> = new Map(
  Object.entries(NAMES).map(([language, [months, shortMonths, weekdays, shortWeekdays]]) => [
    language,
    {
      months: { full: positionsOf(months), short: positionsOf(shortMonths) },
      weekdays: { full: positionsOf(weekdays), short: positionsOf(shortWeekdays) },
    },
  ]),
);

function positionsOf(names: string): ReadonlyMap<string, number> {
  return new Map(names.split(' ').flatMap((name, at) => name.split('|').map((one) => [one, at + 1] as const)));
}

const lists = [...DATETIME_LANGUAGES.values()];
const MONTHS = new Set(lists.flatMap(({ months }) => [...months.full.keys(), ...months.short.keys()]));
const WEEKDAYS = new Set(lists.flatMap(({ weekdays }) => [...weekdays.full.keys(), ...weekdays.short.keys()]));

/** `name` must be in lower case. */
export function isMonthName(name: string): boolean {
  return MONTHS.has(name);
}

export function isWeekdayName(name: string): boolean {
  return WEEKDAYS.has(name);
}
