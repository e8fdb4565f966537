import { deletedPage } from '../../resource/resource-pages.tsx'
import { clientPages } from '../client-pages.tsx'

export default deletedPage(clientPages)
