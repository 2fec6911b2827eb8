import type { ReaderFactory } from '../../kernel/reading/reader-factory.js';
import { SLUG_SETTING, Workspace } from '../workspace.js';

export async function findWorkspaceId(readers: ReaderFactory, slug: string): Promise<string | undefined> {
  const read = readers.forScope({ setting: SLUG_SETTING, value: slug });
  const [workspace] = await read.select(Workspace, { where: 'slug = $1', limit: 1 }, [slug]);
  return workspace?.id;
}
