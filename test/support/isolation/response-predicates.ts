// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;

export const isTrue = (data: Data) => data === true;

export const hasId = (data: Data, id: string) => data.id === id;

export const isNonEmptyPage = ({ items, total, limit, offset }: Data) =>
  items.length > 0 && items.length <= total && limit > 0 && offset === 0;

export const idVariable = (id: string) => ({ id });

export const aPage = () => ({ limit: 250 });
