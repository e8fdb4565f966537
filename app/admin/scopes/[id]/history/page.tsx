import { historyPage } from '../../../resource/resource-pages.tsx'
import { scopePages } from '../../scope-pages.tsx'

export default historyPage(scopePages)
