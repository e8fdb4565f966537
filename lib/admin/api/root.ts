/** The root path of the API. NOTE: this file imports nothing, while the routes import every use case. */
export const apiRoot = '/api/admin'
