import 'server-only'

export interface SavedViewTable {
  id: string
  table_name: string
  /** Empty if shared. */
  scope: string
  owner: string
  owner_name: string
  name: string
  name_key: string
  state: string
  updated_at: string
}
