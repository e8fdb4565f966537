/** Where somebody chooses a password in place of one that was handed out, before anything is open to them. */
export const newPasswordPath = '/login/new-password'
