import type { Readers } from '../kernel/readers.js';
import { SLUG_SETTING, Workspace } from './workspace.js';

/** The id of the workspace with this slug, if there is one. */
export async function findWorkspace(readers: Readers, slug: string): Promise<string | undefined> {
  const read = readers.under({ setting: SLUG_SETTING, value: slug });
  const [workspace] = await read.select(Workspace, { where: 'slug = $1', limit: 1 }, [slug]);
  return workspace?.id;
}
