/** The part of autocannon that the benchmark uses; the package brings no types. */
declare module 'autocannon' {
  type Options = {
    readonly url: string
    readonly method: 'GET' | 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly connections: number
    readonly duration: number
  }
  type Result = {
    readonly requests: { readonly total: number }
    readonly duration: number
    readonly errors: number
    readonly non2xx: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
