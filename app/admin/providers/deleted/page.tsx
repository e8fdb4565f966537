import { deletedPage } from '../../resource/resource-pages.tsx'
import { providerPages } from '../provider-pages.tsx'

export default deletedPage(providerPages)
