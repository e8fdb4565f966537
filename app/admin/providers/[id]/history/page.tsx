import { historyPage } from '../../../resource/resource-pages.tsx'
import { providerPages } from '../../provider-pages.tsx'

export default historyPage(providerPages)
