/** The page where a user replaces a temporary password, before anything is issued. */
export const newPasswordPath = '/login/new-password'
