import { HttpTransportType, type HubConnection, HubConnectionBuilder, NullLogger } from '@microsoft/signalr'
import { DISPUTE_HUB_PATH, hubMethods } from '#lib/contract/disputes.ts'

/** The official client and nothing else: listens to one case, and tells every message as it comes. Answers how to end it. */
export async function listenBare(
  serviceUrl: string,
  token: string,
  caseId: string,
  heard: (body: string) => void,
): Promise<() => Promise<void>> {
  const connection: HubConnection = new HubConnectionBuilder()
    .withUrl(serviceUrl + DISPUTE_HUB_PATH, {
      transport: HttpTransportType.WebSockets,
      skipNegotiation: true,
      accessTokenFactory: () => token,
    })
    .configureLogging(NullLogger.instance)
    .build()
  connection.on('MessagePosted', ({ body }: { readonly body: string }) => heard(body))
  await connection.start()
  await connection.invoke(hubMethods.join, caseId)
  return () => connection.stop()
}
