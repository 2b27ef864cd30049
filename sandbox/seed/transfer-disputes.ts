import type { DisputeSubject } from './dispute-subject.ts'

/**
 * `{other}` is the other party's first name, `{amount}` the payment; other placeholders are drawn
 * (`case-file.ts`).
 */
export const transferDisputes = {
  bicycle: {
    type: 'P2P',
    cases: [
      ['Blue bicycle', 'I paid for a bicycle and it never came.'],
      ['Bike, second half', 'The bicycle that was delivered is not the one in the pictures.'],
      ['Kids bike', 'Seller took the payment and then sold the bike to somebody else.'],
    ],
    payer: [
      'We agreed to meet at {place} on {day}. I was there at {hour}, nobody came, and nobody picks up the phone.',
      'The advert is gone as well. I want my {amount} back.',
      'I asked for the frame number twice and never got it.',
      'If you still have the bike, bring it to {place}. If not, say so and give the money back.',
    ],
    recipient: [
      '{other}, I told you I would be late. I was at {place} at {hour} and you had left.',
      'The bike is in my yard. You can fetch it any day after work.',
      'I do not have the papers any more, but the bike is mine to sell.',
      'I already turned two other buyers away because of you.',
    ],
    refunded: 'No delivery was shown, although it was asked for twice.',
    released: 'The bicycle shop confirms that the payer took it away.',
  },
  stranger: {
    type: 'P2P',
    cases: [
      ['Rent', 'Wrong recipient: I do not know this person.'],
      ['', 'I picked the wrong name in my contacts.'],
      ['School fees', 'Sent to the wrong account, one letter off.'],
    ],
    payer: [
      'This was meant for my landlord. I typed the first letters and took the wrong line.',
      'I do not know {other} and never bought anything from them.',
      'My rent is late now because {amount} sits with a stranger.',
      'I only ask for what is mine.',
    ],
    recipient: [
      'I got {amount} and thought it was from my cousin. I did not know.',
      'I have not spent it. How do I send it back without paying twice?',
      'Please somebody confirm this is real, I have heard of people who ask for money back and then take it twice.',
      'If support says it is a mistake, they can have it.',
    ],
    refunded: 'The recipient agrees that the payment was a mistake.',
    released: 'The parties know each other: earlier payments carry the same note.',
  },
  phone: {
    type: 'P2P',
    cases: [
      ['Phone, used', 'Phone does not charge. It was sold as working.'],
      ['Galaxy', 'The phone is locked to another person’s account.'],
      ['phone + charger', 'Screen is cracked under the protector, seller hid it.'],
    ],
    payer: [
      'I charged it the whole night and it stayed at 3 %. A man at {place} opened it and says the board was wet.',
      'The listing said "as new, <b>never repaired</b>". That is not what I got.',
      'I have pictures and the receipt of the repair shop: 45 dollars just to look at it.',
      'You can have the phone back today, with the box and the cable.',
    ],
    recipient: [
      'It worked when you took it. You tested it yourself at {place} for ten minutes.',
      'Used phones come without warranty, I said so in the first message.',
      'Who knows what you did with it between {day} and now.',
      'I can give back a part, not all of it.',
    ],
    refunded: 'The phone is not as it was described. It goes back to the seller.',
    released: 'Used goods, tested by the payer before paying.',
  },
  trip: {
    type: 'P2P',
    cases: [
      ['Snorkel trip, 2 people', 'The boat trip was cancelled and the money was not returned.'],
      ['Boat to the caye', 'Captain did not wait. We were at the pier on time.'],
      ['Fishing charter deposit', 'Trip moved three times, I no longer want it.'],
    ],
    payer: [
      'They wrote at {hour} in the morning that the sea is too rough. Fine, but then give the {amount} back.',
      'A voucher for next season is of no use to me, I fly home on {day}.',
      'Every other boat at {place} went out that day.',
      'I never agreed to any cancellation fee. Show me where that is written.',
    ],
    recipient: [
      'The port captain closed the bar at {hour}. I cannot take people out against that.',
      'Fuel and food for the day were bought already. I offered another date.',
      'Half back, or the trip on {day}. That is fair.',
      '{other} signed the booking, it says weather on page one.',
    ],
    refunded: 'The trip was cancelled by the seller, and the terms shown say nothing about a fee.',
    released: 'The terms that both sides show allow no refund for weather.',
  },
  cleaning: {
    type: 'P2P',
    cases: [
      ['House cleaning', 'Half of the work was done and then they left.'],
      ['Yard work, Saturday', 'Nobody came to do the work I paid for in advance.'],
      ['Painting the fence', 'The paint came off with the first rain.'],
    ],
    payer: [
      'Agreed: the whole house, kitchen included. Done: two rooms. See for yourself, I sent pictures on {day}.',
      'I had to pay my neighbour to finish it.',
      'The key was under the pot until {hour}, exactly as we said.',
      'Keep a third for the two rooms, send back the rest.',
    ],
    recipient: [
      'The water was cut at {hour}. Nobody can clean without water.',
      'I offered to come again on {day} and you said no.',
      'My cousin and I worked five hours in that house.',
      'You never said the kitchen would look like that.',
    ],
    refunded: 'Most of the work was not done, and the recipient does not dispute it.',
    released: 'Pictures of the finished rooms were shown, and another visit was offered.',
  },
  ticket: {
    type: 'P2P',
    cases: [
      ['2 tickets', 'The tickets had been used when we got to the gate.'],
      ['Concert', 'Concert cancelled, seller keeps the money.'],
      ['Carnival band fee', 'I was taken off the list after paying.'],
    ],
    payer: [
      'The scanner at the gate said "already entered". We stood there with two children until {hour}.',
      'You sold the same code to more than one person.',
      'The organiser told me on {day} that the code was shown four times.',
      'I want the {amount}. An excuse does not help.',
    ],
    recipient: [
      'I bought them from a friend myself. If they are bad I was cheated as well.',
      'They were good on {day}, I checked them at {place}.',
      'Did you send the picture of the code to anybody? Then that is how it happened.',
      'I am asking my friend, give me until {day}.',
    ],
    refunded: 'The organiser confirms that the tickets had been used before.',
    released: 'The code was forwarded by the payer to a third person.',
  },
  lodging: {
    type: 'P2P',
    cases: [
      ['Deposit for the room', 'Landlord keeps my deposit after I moved out.'],
      ['Room for August', 'The room was let to somebody else when I arrived.'],
      ['Guesthouse, 3 nights', 'No electricity for two of three nights.'],
    ],
    payer: [
      'I left the room clean and gave the keys to the neighbour at {hour}. The deposit was due back within a week.',
      'That window was broken on the day I moved in, ask anyone at {place}.',
      'I have been waiting since {day} and every time it is "tomorrow".',
      'The agreement says {amount} deposit and nothing about painting.',
    ],
    recipient: [
      'The window, the tap, and the wall behind the bed. That is more than the deposit.',
      'I have the bill of the glazier from {place}.',
      '{other} moved out on {day}, two days late. I lost a guest by that.',
      'Come and look at the wall together with me, any evening.',
    ],
    refunded: 'No damage was shown that was not there when the room was handed over.',
    released: 'The bill of the glazier covers the whole deposit.',
  },
  lessons: {
    type: 'P2P',
    cases: [
      ['Driving lessons x5', 'I got one lesson of five, then the teacher disappeared.'],
      ['Guitar course', 'The course never started.'],
      ['Maths tutoring', 'Teacher came late every time and left early.'],
    ],
    payer: [
      'First lesson on {day} was good. Since then he is "on the road" whenever I call.',
      'My exam is next week. I have to pay somebody else now.',
      'Four lessons are four fifths of {amount}. I am not asking for more than that.',
      'I waited at {place} from {hour} on, like an idiot.',
    ],
    recipient: [
      'You cancelled two of them one hour before. Those count.',
      'My car was in the workshop at {place}. I wrote that to everyone on {day}.',
      'I will give the lessons, I never said I would not.',
      'Pick any two mornings and we are done by {day}.',
    ],
    refunded: 'The lessons were not given, and no date was offered.',
    released: 'The lessons were offered and cancelled by the payer.',
  },
  lunch: {
    type: 'P2P',
    cases: [
      ['Lunch for 12', 'Food for our party came two hours late and cold.'],
      ['Birthday cake', 'The cake had the wrong name and was half melted.'],
      ['Tamales, 40 pieces', 'I ordered 40 and counted 26.'],
    ],
    payer: [
      'Guests were here at {hour}. The food was not.',
      'I counted them in front of your driver, he shrugged and left for {place}.',
      'We had to send somebody to buy chicken for everyone.',
      'Take off what was not delivered, that is all.',
    ],
    recipient: [
      'The bridge was closed, everybody knows that. We drove around by {place}.',
      'You got everything that was on your list of {day}. Somebody changed it later on the phone.',
      'It was warm when it left my kitchen at {hour}.',
      'I can offer 20 off the next order.',
    ],
    refunded: 'What was delivered is less than what was ordered.',
    released: 'The list of the order matches what was delivered.',
  },
  generator: {
    type: 'P2P',
    cases: [
      ['Generator 2 kW', 'The generator stopped after two days.'],
      ['Water pump', 'Pump does not reach the pressure that was promised.'],
      ['chainsaw', 'Chainsaw does not start, seller does not answer.'],
    ],
    payer: [
      'It ran for two days, then smoke. The mechanic at {place} says the windings are burnt, and old.',
      'You said "half a year of use". He says ten years.',
      'I brought it back on {day} at {hour} and your brother shut the gate.',
      'Either a generator that works, or my {amount}.',
    ],
    recipient: [
      'You ran it with the fridge, the freezer and the pump at once. Nobody does that with 2 kW.',
      'I sold it as it stood. You heard it run.',
      'My brother does not decide about my things. Bring it on {day}, I will look at it.',
      'I have the receipt from {place}, it is four years old, not ten.',
    ],
    refunded: 'A mechanic confirms that it did not work when it was sold.',
    released: 'Sold as seen. It ran when it was handed over.',
  },
} as const satisfies Record<string, DisputeSubject>
