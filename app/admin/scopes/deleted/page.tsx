import { deletedPage } from '../../resource/resource-pages.tsx'
import { scopePages } from '../scope-pages.tsx'

export default deletedPage(scopePages)
