/** How a market says that the login is gone (redirects; pages are known by contract/Reading). */

/** A Location that leads to the login page or to the app's "lost login". */
export const isLogin = (location: string): boolean => /\/login(?:[/?#]|$)|:\/\/lostauth/i.test(location)
