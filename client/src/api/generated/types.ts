// Generated from the server's types by scripts/wire_types.py. Do not edit.

export type RowName =
  | 'back'
  | 'front'
  | 'middle';

export type NaturalKind =
  | 'all_eight_and_above'
  | 'all_eight_and_below'
  | 'all_pictures'
  | 'dragon'
  | 'five_pairs_and_trips'
  | 'four_trips'
  | 'no_JQK'
  | 'no_TJQKA'
  | 'one_colour'
  | 'one_suit_dragon'
  | 'six_and_above'
  | 'six_pairs'
  | 'thirteen_of_one_colour'
  | 'three_flushes'
  | 'three_quads'
  | 'three_straight_flushes'
  | 'three_straights'
  | 'twelve_of_one_colour'
  | 'twelve_pictures';

export type Action =
  | Arrange
  | Place
  | Announce
  | ClaimNatural
  | Declare;

export type PlayerRequest =
  | Arrange
  | Place
  | Announce
  | ClaimNatural
  | Declare
  | SetPremove
  | CommitChain
  | RevealLink
  | Sit
  | Leave
  | TopUp
  | SitOut
  | SitIn
  | Ready
  | Say
  | OfferStake
  | DeclineStake
  | WithdrawStake
  | RequestDelay
  | RequestHint
  | PlaceFor
  | SeatBot
  | Unseat
  | CloseTable
  | Start
  | Pause
  | ResumePlay
  | LockSeats
  | TransferHost
  | Ban
  | MuteViewer
  | RemoveViewer
  | AddTime
  | ChangeRules
  | AllowArranging
  | AllowHints
  | ChangeDetails;

export type TournamentRequest =
  | Register
  | Withdraw
  | AddBots
  | RemoveBots
  | StartNow
  | Cancel
  | PausePlay
  | ResumePlay
  | RemovePlayer;

export type ClientMessage =
  | Subscribe
  | Unsubscribe
  | CommandMessage
  | Ping;

export type ServerMessage =
  | Hello
  | Update
  | ViewPatch
  | TournamentUpdate
  | Ack
  | Rejected
  | ErrorMessage
  | Pong;

/**
 * A player's account: the points bought in for in all, and won or lost so far.
 *
 * `money`: the points won or lost in money, each deal at the price that it was played for, an amount for each unit;
 * empty if points had no price.
 */
export interface AccountView {
  readonly player: string;
  readonly name: string;
  readonly brought: number;
  readonly points: number;
  readonly money: readonly MoneyView[];
}

/** A command was done and stored, as version `v`. */
export interface Ack {
  readonly t: 'ack';
  readonly cmd_id: string;
  readonly table: string;
  readonly v: number;
}

/** Host: register bots of a level. */
export interface AddBots {
  readonly do: 'add_bots';
  readonly level: string;
  readonly count?: number;
}

/** Host: add seconds to a seat's time bank. */
export interface AddTime {
  readonly do: 'add_time';
  readonly seat: number;
  readonly seconds: number;
}

/** Host: allow the automatic arranging of closed hands and fantasylands, or forbid it again. */
export interface AllowArranging {
  readonly do: 'let_arrange';
  readonly allowed: boolean;
}

/** Host: allow hints, or forbid them again. Never in a tournament. */
export interface AllowHints {
  readonly do: 'let_hint';
  readonly allowed: boolean;
}

/**
 * A position whose placements the server is to evaluate, as in `triptych analyse`.
 *
 * `hand`: the hand to decide, from 0, if no star marks it; `top`: how many of the best placements are measured to
 * `error`. `stacks`: in chips; `point`: the chips of a point; `prizes`: of a tournament.
 */
export interface AnalysePositionRequest {
  readonly position: string;
  readonly rules?: string | { readonly [key: string]: unknown };
  readonly hand?: number | null;
  readonly error?: number;
  readonly top?: number;
  readonly seed?: number;
  readonly stacks?: readonly number[];
  readonly point?: number;
  readonly prizes?: readonly number[];
}

/**
 * All placements, those that were measured to the end first, from the best on.
 *
 * `within_error`: the number of those measured to the end, with the best, that are within the error of the best.
 * `exact`: nothing had to be sampled. `street`: from 1, 0 in fantasyland; there only those settings stand that no
 * other one equals or beats in every row.
 */
export interface Analysis {
  readonly position: string;
  readonly hand: number;
  readonly street: number;
  readonly placements: readonly PlacementValue[];
  readonly exact: boolean;
  readonly seed: number;
  readonly within_error: number;
}

/**
 * The data with which a browser ranks the settings of a closed game.
 *
 * `fields`: the addresses of the hand pools with the strategies of one, two and three opponents; `nearest`: the
 * rules that they belong to, if these rules have none of their own. `surrenders`: players may surrender.
 */
export interface AnalysisClosed {
  readonly fields: readonly string[];
  readonly nearest: string;
  readonly surrenders: boolean;
}

/** The rules under which to analyse positions or, with `play`, to play whole deals. */
export interface AnalysisRequest {
  readonly rules: string | { readonly [key: string]: unknown };
  readonly play?: boolean;
}

/**
 * The data with which a browser analyses positions of these rules.
 *
 * `button_moves`: also between a deal and its fantasylands. `alone_hides`: the only hand outside fantasyland lies
 * face down. `scoring`: as `scoring.rows`. `field`: only with `play`. `fantasyland`: the possible numbers of cards;
 * `land_value`: their values in points from each opponent, by number of cards from 0. The kernel needs `rules`
 * (base64) to set a fantasyland; to analyse a street it needs `player` (base64) followed by the file at `weights`,
 * both null if there are no weights for the rules. `closed`: only for closed games.
 */
export interface AnalysisSetup {
  readonly title: string;
  readonly deck: readonly string[];
  readonly hands_max: number;
  readonly streets: readonly AnalysisStreet[];
  readonly fantasyland: readonly number[];
  readonly land_value: readonly number[];
  readonly rules: string;
  readonly player: string | null;
  readonly weights: string | null;
  readonly hands_min: number;
  readonly jokers: number;
  readonly button_moves: boolean;
  readonly alone_hides: boolean;
  readonly low_middle: boolean;
  readonly scoring: string;
  readonly field: OpponentModel | null;
  readonly closed: AnalysisClosed | null;
}

/** Cards dealt to a hand on a street, and how many of them it places. */
export interface AnalysisStreet {
  readonly dealt: number;
  readonly placed: number;
}

/** Closed game: play the board (`True`) or surrender it. */
export interface Announce {
  readonly do: 'announce';
  readonly hand: number;
  readonly play: boolean;
}

/** Arrange the cards of this street; it may change until `Place`. */
export interface Arrange {
  readonly do: 'arrange';
  readonly hand: number;
  readonly layout: Layout;
}

/** A hand with its best legal board; `layout` is null if declaring is better, then `natural` is true. */
export interface Arranged {
  readonly hand: number;
  readonly layout: Layout | null;
  readonly natural: boolean;
}

/** Host: free a person's seat as `Unseat` does; they may no longer sit down or chat at this table. */
export interface Ban {
  readonly do: 'ban';
  readonly seat: number;
}

/** The royalties that each row of your own board can still earn, the smallest first. */
export interface BoardReach {
  readonly front: readonly ReachableRoyalty[];
  readonly middle: readonly ReachableRoyalty[];
  readonly back: readonly ReachableRoyalty[];
}

/**
 * One hand's board as the viewer may see it.
 *
 * `pending`: cards in the rows that are not confirmed yet. `draws`: cards received and not yet in a row; for a
 * board that is placed face down the others see the cards set so far here too, since the rows are hidden.
 * `discards`: the owner's own; `??` for others. `fantasyland`: cards of this hand's fantasyland, 0 = none.
 * `natural`: the name of the claimed natural, once the viewer may know it; its cards are in `draws`.
 * `laid`: the sizes of the rows, front to back, after each confirmed street; rows keep the order of placement. It is
 * empty in fantasyland, and for a board that was placed face down, except for its owner.
 */
export interface BoardView {
  readonly hand: number;
  readonly seat: number;
  readonly front: RowView;
  readonly middle: RowView;
  readonly back: RowView;
  readonly street: number;
  readonly acting: boolean;
  readonly done: boolean;
  readonly face_down: boolean;
  readonly fantasyland: number;
  readonly in_row: number;
  readonly draws: readonly string[];
  readonly pending: readonly string[];
  readonly discards: readonly string[];
  readonly natural: string;
  readonly laid: readonly (readonly [number, number, number])[];
  readonly status: 'foul' | 'legal' | 'natural' | 'playing' | 'set' | 'surrendered';
}

/** Host: cancel the tournament, or end it: matches in progress are played to their end. */
export interface Cancel {
  readonly do: 'call_off';
}

/** One number of the sheet and its reason. */
export interface Cell {
  readonly points: number;
  readonly why: string;
}

/** A player's link: the head of the seat's chain, fixed before the commitment, and the link after it. */
export interface ChainLink {
  readonly seat: number;
  readonly head: string;
  readonly link: string;
}

/**
 * A seat's hash chain: its head (hex), the first commitment it counts for.
 *
 * `given`: this one has its link.
 */
export interface ChainView {
  readonly seat: number;
  readonly head: string;
  readonly since: number;
  readonly given: boolean;
}

/** Host: change the table's name, or whether the lobby lists it. None leaves a value as it is. */
export interface ChangeDetails {
  readonly do: 'change_details';
  readonly name?: string | null;
  readonly private?: boolean | null;
}

/**
 * Host: change the rules from the next match on, between matches at once.
 *
 * `pause`: seconds between deals. `rules`: a preset's name, options with a `preset`, or without a preset only the
 * options that change.
 */
export interface ChangeRules {
  readonly do: 'change_rules';
  readonly rules: string | { readonly [key: string]: unknown };
  readonly pause?: number | null;
}

/**
 * Hands from the best down.
 *
 * `ranking`: all hands of five cards. `fives`, `lows` (in the middle) and `front`: those with royalties.
 * `fantasyland`: the conditions of entry.
 */
export interface Chart {
  readonly ranking: readonly ExampleHand[];
  readonly fives: readonly FiveCardRoyalty[];
  readonly lows: readonly Royalty[];
  readonly front: readonly Royalty[];
  readonly fantasyland: readonly EntryDescription[];
}

/**
 * A line of table talk, or of the table itself (`who` empty).
 *
 * `seat` is None for the table and spectators.
 */
export interface ChatLineView {
  readonly at: number;
  readonly who: string;
  readonly text: string;
  readonly seat: number | null;
}

/** Custom rules to check before a table is opened. */
export interface CheckRules {
  readonly spec: string | { readonly [key: string]: unknown };
}

/** Resolved rules, in words, and their differences from the preset they extend. */
export interface CheckedRules {
  readonly rules: Ruleset;
  readonly words: readonly string[];
  readonly differences: readonly string[];
  readonly problems: readonly RulesProblem[];
}

/** A possible value of an option, and its meaning. In a value such as `deals:N`, N is any number. */
export interface ChoiceInfo {
  readonly value: string | number;
  readonly about: string;
}

/** Closed game: claim the natural of the 13 cards instead of setting them. */
export interface ClaimNatural {
  readonly do: 'natural';
  readonly hand: number;
}

/** Seconds to act, and the time bank (Rules §6). `fantasyland` and `setting` are for 13 to 17 cards at once. */
export interface Clock {
  readonly kind: 'none' | 'per_deal' | 'per_street';
  readonly seconds: number;
  readonly setting: number;
  readonly bank: number;
  readonly bank_refill: number;
  readonly bank_reset: string;
  readonly new_table: 'carry' | 'reset';
}

/** A running clock: the street's time ends at `street_ends`, the bank's after it at `bank_ends` (ms). */
export interface ClockView {
  readonly hand: number;
  readonly seat: number;
  readonly started: number;
  readonly street_ends: number;
  readonly bank_ends: number;
}

/** Host: end the table after the match; stacks go back to the players. */
export interface CloseTable {
  readonly do: 'close_table';
}

/**
 * Send a command to a table.
 *
 * Repeat it with the same `cmd_id` until there is a reply; it is done at most once.
 *
 * `seen`: the version that the player saw.
 */
export interface CommandMessage {
  readonly t: 'do';
  readonly cmd_id: string;
  readonly table: string;
  readonly seen: number;
  readonly action: PlayerRequest;
}

/** Commit your entropy for the decks of many deals: the head of a hash chain (hex; docs: fairness). */
export interface CommitChain {
  readonly do: 'fix_chain';
  readonly head: string;
}

/** A new token: its `secret`, with which a program authenticates, is returned only now and never stored. */
export interface CreatedToken {
  readonly secret: string;
  readonly line: TokenItem;
}

/**
 * A player's line in a ranking.
 *
 * `days`: how many deals it counts; `mine`: that player sent the request.
 */
export interface DailyLine {
  readonly place: number;
  readonly name: string;
  readonly points: number;
  readonly days: number;
  readonly mine: boolean;
}

/**
 * The best players and the player who sent the request, the best first; equal points share a place.
 *
 * `players`: how many there are in all. `place`: of the player who sent the request, None if they have not shared.
 */
export interface DailyRanking {
  readonly lines: readonly DailyLine[];
  readonly players: number;
  readonly place: number | null;
}

/**
 * Rankings of a day and of its week, from Monday on.
 *
 * `streak`: how many days in a row, up to this day, the player has shared; `longest`: their longest streak.
 */
export interface DailyRankings {
  readonly day: DailyRanking;
  readonly week: DailyRanking;
  readonly streak: number;
  readonly longest: number;
}

/** The cards that are dealt, and their visibility (Rules §2). */
export interface Deal {
  readonly game: 'classic' | 'closed' | 'criss_cross' | 'pineapple' | 'turbo';
  readonly jokers: 0 | 1 | 2;
  readonly first_street: 'live' | 'on_confirm';
  readonly first_cards: 'all' | 'at_turn';
}

/** A finished deal of a table. */
export interface DealRecord {
  readonly match: number;
  readonly sheet: ScoreSheet;
}

/**
 * A person's result in one deal. `points`: what they received (negative: paid), with stakes and caps.
 *
 * `prize`: points from the end of the match that this deal ended. `scored`: by the sheet, before stakes. `worth`:
 * the price of a point in `unit`, 0 if points have no price. `fantasyland`: cards of the fantasyland that it earned
 * (0: none); `fouls`: own boards that fouled.
 */
export interface DealResult {
  readonly deal: number;
  readonly match: number;
  readonly at: number;
  readonly preset: string;
  readonly title: string;
  readonly points: number;
  readonly scored: number;
  readonly worth: number;
  readonly unit: string;
  readonly fantasyland: number;
  readonly fouls: number;
  readonly prize: number;
}

/**
 * A deal in progress, or just finished, for one viewer. `streets`: how many there are outside fantasyland.
 *
 * `stacks` is only in the views of bots; a page reads them from the table.
 */
export interface DealView {
  readonly number: number;
  readonly game: string;
  readonly phase: 'announcing' | 'declaring' | 'done' | 'placing';
  readonly street: number;
  readonly streets: number;
  readonly boards: readonly BoardView[];
  readonly tasks: readonly Task[];
  readonly stacks?: Stacks;
}

/** One of the fewest payments that would settle the session now, from one player to another, by id. */
export interface DebtView {
  readonly payer: string;
  readonly payee: string;
  readonly amount: number;
  readonly unit: string;
}

/**
 * The record of a deck, and the proofs of the cards that a viewer may know.
 *
 * `roots`: the committed roots; `links`: those that came in time; `seeds`: those of the decks that are not dealt, ""
 * for the dealt one.
 */
export interface DeckRecord {
  readonly table: string;
  readonly number: number;
  readonly size: number;
  readonly roots: readonly string[];
  readonly links: readonly ChainLink[];
  readonly seeds: readonly string[];
  readonly openings: readonly Opening[];
}

/** Closed game with `royalties.declare = must`: the rows whose royalties are claimed. */
export interface Declare {
  readonly do: 'declare';
  readonly hand: number;
  readonly rows: readonly RowName[];
}

/** Decline the stake that another seat has offered. */
export interface DeclineStake {
  readonly do: 'decline_stake';
  readonly seat: number;
}

/**
 * A browser that is signed in as the guest: its id, and its program and system (empty: unknown).
 *
 * `made`: since when it is signed in; `seen`: its last use (ms, to the hour); `here`: it sent this request.
 */
export interface DeviceLine {
  readonly device: string;
  readonly browser: string;
  readonly system: string;
  readonly made: number;
  readonly seen: number;
  readonly here: boolean;
}

/** A link that signs one other device in as the guest, valid for so many seconds. */
export interface DeviceLink {
  readonly link: string;
  readonly seconds: number;
  readonly qr: QrCode;
}

/** The status of the guest's last link: waiting, used or expired (`over`). */
export interface DeviceLinkStatus {
  readonly fate: 'over' | 'used' | 'waiting';
}

/** The name of the guest whom a link to another device signs in. */
export interface DeviceOwner {
  readonly name: string;
}

/** The proof of identity for removing a sign-in method. */
export interface DropKey {
  readonly proof?: Proof;
}

/** Rules that are being edited: a preset's name, or overrides on a preset. */
export interface EditRules {
  readonly spec: string | { readonly [key: string]: unknown };
}

/**
 * The rules in the editor.
 *
 * `overrides`: the smallest set that makes these rules from the preset; `values`: every option's value by key;
 * `toml`: the differences from the preset.
 */
export interface EditedRules {
  readonly preset: string;
  readonly preset_title: string;
  readonly title: string;
  readonly overrides: { readonly [key: string]: unknown };
  readonly values: { readonly [key: string]: unknown };
  readonly sections: readonly RulesSection[];
  readonly changes: readonly RulesChange[];
  readonly problems: readonly RulesProblem[];
  readonly toml: string;
}

/** A condition for fantasyland in words, and the fantasyland's cards. */
export interface EntryDescription {
  readonly words: string;
  readonly cards: number;
}

/**
 * A player; entries are sorted best first. `place`: by chips while they are in, later by elimination.
 *
 * `place` is final when they are `out` and nobody can enter any more. `table`: the number of their table, 0 while
 * they wait for a seat; `prize`: what they have won in the end. `barred`: the host has removed them; a match in
 * progress is played to its end. In a league, `mean`: points a round above others with the same cards, ± `reach`
 * (95 %; None: too few rounds).
 */
export interface EntryView {
  readonly player: string;
  readonly name: string;
  readonly bot: boolean;
  readonly chips: number;
  readonly place: number;
  readonly out: boolean;
  readonly table: number;
  readonly entries: number;
  readonly prize: number;
  readonly barred: boolean;
  readonly mean: number | null;
  readonly reach: number | null;
}

/** The body of every response that is not a success. */
export interface ErrorBody {
  readonly error: WireError;
}

/** A message could not be read or executed. */
export interface ErrorMessage {
  readonly t: 'problem';
  readonly error: WireError;
}

/** The name of a hand, and an example of its cards. */
export interface ExampleHand {
  readonly name: string;
  readonly cards: readonly string[];
}

/**
 * The next deal's decks: the commitment (hex) and its number, empty without one (docs: fairness).
 *
 * `dealt`: the number of the commitment of the deal on the table, 0 for none; `dropped`: how many commitments of
 * this table were never dealt.
 */
export interface FairView {
  readonly number: number;
  readonly commitment: string;
  readonly chains: readonly ChainView[];
  readonly dealt: number;
  readonly dropped: number;
}

/**
 * Entry, repeat and order of fantasyland (Rules §5): of the met conditions, that with most cards counts.
 *
 * `kind` names a table of `tables/fantasyland.toml`; the lists given here replace those of the table.
 */
export interface Fantasyland {
  readonly kind: string;
  readonly entry: readonly FantasylandEntry[];
  readonly repeat: readonly FantasylandRepeat[];
  readonly repeat_limit: 'none' | number;
  readonly order: 'after_others' | 'at_start_hidden';
  readonly button: 'move' | 'stay';
}

/** A condition on a board: a minimum hand in a row (`rulesets/hand_names.py`), minimum royalties, or both. */
export interface FantasylandCondition {
  readonly row?: '' | 'back' | 'front' | 'middle';
  readonly least?: string;
  readonly royalties?: number;
}

/** A condition for a fantasyland, and the fantasyland's cards. */
export interface FantasylandEntry {
  readonly row?: '' | 'back' | 'front' | 'middle';
  readonly least?: string;
  readonly royalties?: number;
  readonly all?: readonly FantasylandCondition[];
  readonly cards: number;
}

/** A condition for repeating fantasyland; `same`: with the same number of cards. */
export interface FantasylandRepeat {
  readonly row?: '' | 'back' | 'front' | 'middle';
  readonly least?: string;
  readonly royalties?: number;
  readonly all?: readonly FantasylandCondition[];
  readonly cards: 'same' | number;
}

/** A five-card hand and its royalties in points; 0 for none, None if the middle is a low. */
export interface FiveCardRoyalty {
  readonly hand: ExampleHand;
  readonly middle: number | null;
  readonly back: number;
}

/** Royalties of a five-card row in points by category; five of a kind needs jokers and counts as a royal flush. */
export interface FiveRoyalties {
  readonly trips: number;
  readonly straight: number;
  readonly flush: number;
  readonly full_house: number;
  readonly quads: number;
  readonly straight_flush: number;
  readonly royal_flush: number;
  readonly five_of_a_kind: 'as_royal' | number;
}

/** The cost of a foul (Rules §3). */
export interface Foul {
  readonly points: 'scoop' | number;
  readonly pays_royalties: boolean;
  readonly scope: 'board' | 'rows';
  readonly still_plays: boolean;
}

/** Free slots by row at the start of the street. */
export interface FreeSlots {
  readonly front: number;
  readonly middle: number;
  readonly back: number;
}

/** Royalties of the front in points, by the rank of the pair or the trips. */
export interface FrontRoyalties {
  readonly pair: readonly number[];
  readonly trips: readonly number[];
}

/**
 * The guide's advice for a hand's street.
 *
 * `proposal`: the placement that it recommends, None if there is nothing to place.
 */
export interface Guide {
  readonly hand: number;
  readonly street: number;
  readonly lines: readonly GuideLine[];
  readonly proposal: Layout | null;
}

/** A sentence about the order of rows, a foul or the risk of one (`care`), points, or what to do next. */
export interface GuideLine {
  readonly kind: 'care' | 'foul' | 'next' | 'order' | 'points';
  readonly text: string;
}

/** The first message of a connection: who the viewer is, and the server's clock in ms. */
export interface Hello {
  readonly t: 'hello';
  readonly player: string;
  readonly name: string;
  readonly now: number;
}

/** A new name and password to sign in with, and the proof of identity. */
export interface KeepName {
  readonly name: string;
  readonly password: string;
  readonly proof?: Proof;
}

/** A new passkey, and the proof of identity. */
export interface KeepPasskey {
  readonly credential: unknown;
  readonly proof?: Proof;
}

/** Cards of the current street by row as text, in the order of their slots. */
export interface Layout {
  readonly front: readonly string[];
  readonly middle: readonly string[];
  readonly back: readonly string[];
}

/** Leave the seat when the match is over. */
export interface Leave {
  readonly do: 'leave';
}

/** The ledger of all deals whose stakes are counted in one unit, and the fewest payments that settle it. */
export interface Ledger {
  readonly unit: string;
  readonly players: readonly PlayerBalance[];
  readonly pairs: readonly PairBalance[];
  readonly payments: readonly MoneyPayment[];
}

/** A level that a bot can play at. */
export interface LevelItem {
  readonly level: string;
  readonly title: string;
  readonly note: string;
}

/**
 * A tournament's level, from 1: the chips for a point, now and in the next level (None in the last one).
 *
 * The next level begins with the table's deal number `next_deal`, or with the first deal after `next_at` (ms).
 */
export interface LevelView {
  readonly number: number;
  readonly chips: number;
  readonly next_chips: number | null;
  readonly next_deal: number | null;
  readonly next_at: number | null;
}

/** A limit that was reached: its name, and after how many seconds to try again. */
export interface LimitHit {
  readonly key: string;
  readonly seconds: number;
}

/** An occupied seat in the lobby's list. */
export interface LobbySeat {
  readonly seat: number;
  readonly name: string;
  readonly bot: boolean;
}

/**
 * A table in the lobby's list; `seats` has null for a free seat; `watching`: the number of spectators.
 *
 * `mine`: you have a seat here or are the host; `turn`: the table waits for you. `changes`: how many options differ
 * from the preset, null for rules without a preset. A `private` table is only in the lists of its own guests.
 */
export interface LobbyTable {
  readonly table: string;
  readonly name: string;
  readonly preset: string;
  readonly title: string;
  readonly seats: readonly (LobbySeat | null)[];
  readonly phase: string;
  readonly watching: number;
  readonly mine: boolean;
  readonly turn: boolean;
  readonly changes: number | null;
  readonly private: boolean;
}

/**
 * The data with which a browser scores a deal itself.
 *
 * `rules`: the kernel's form (base64); `scoring`: as `scoring.rows`; `banker`: all others play only against the last
 * hand; `naturals`: names by the kernel's numbers.
 */
export interface LocalScoring {
  readonly rules: string;
  readonly scoring: string;
  readonly low_middle: boolean;
  readonly banker: boolean;
  readonly naturals: readonly string[];
}

/** Host: lock the free seats, or open them again. */
export interface LockSeats {
  readonly do: 'lock';
  readonly locked: boolean;
}

/** Royalties of a deuce-to-seven middle: nine-low, eight-low, seven-low, and 75432. */
export interface LowRoyalties {
  readonly nine: number;
  readonly eight: number;
  readonly seven: number;
  readonly best: number;
}

/** The kind of a match, its prize, and whether all cards are shown at its end (Rules §6). */
export interface Match {
  readonly kind: string;
  readonly prize: 'short' | number;
  readonly show_all: boolean;
}

/** Match number, the deal inside it (from 1), and a phrase such as 'a deal and its fantasylands'. */
export interface MatchView {
  readonly number: number;
  readonly deal: number;
  readonly kind: string;
  readonly text: string;
}

/** The browser's guest: an id, which is stored in a signed cookie, and a name. */
export interface Me {
  readonly player: string;
  readonly name: string;
}

/** One payment at the end of the session. */
export interface MoneyPayment {
  readonly payer: string;
  readonly payee: string;
  readonly money: number;
}

/** An amount of money; `unit` as in the rules, such as EUR. */
export interface MoneyView {
  readonly amount: number;
  readonly unit: string;
}

/** Host: mute a spectator, or let them chat again. */
export interface MuteViewer {
  readonly do: 'mute_viewer';
  readonly player: string;
  readonly muted?: boolean;
}

/** The totals of all sessions by rules, the most played first, and the steps to them, oldest first. */
export interface MyResults {
  readonly evenings: number;
  readonly totals: readonly RulesetTotal[];
  readonly steps: readonly TotalStep[];
}

/** The name and password with which a guest signs in; a new password has at least 8 characters. */
export interface NameAndPassword {
  readonly name: string;
  readonly password: string;
}

/** One natural, and the units that each opponent pays for it. */
export interface Natural {
  readonly kind: NaturalKind;
  readonly units: number;
}

/** Naturals in table order, the highest first among equals; `rule` decides between two holders (Rules §4). */
export interface NaturalTable {
  readonly name: string;
  readonly rule: 'difference' | 'higher';
  readonly entries: readonly Natural[];
}

/** Naturals of a closed game; `also` adds further kinds, each worth `also_units`. */
export interface Naturals {
  readonly table: NaturalTable;
  readonly claim: 'auto' | 'must';
  readonly no_pictures: 'no_JQK' | 'no_TJQKA' | 'off';
  readonly also: readonly NaturalKind[];
  readonly also_units: number;
}

/**
 * Open a table. `pause`: seconds between deals (absent: the server's own).
 *
 * `start`: the first match begins when the `host` starts it, or by itself (`full`) as soon as enough players sit.
 * `private`: the lobby does not show it; only guests with the link find it. `like`: a closed table of which this is
 * the rematch, with its rules and pause; all requests with the same table get the same rematch. `password`: guests
 * have to give it, and the table is private. `arranging`: players may have their cards arranged; `hints`: players
 * may request hints, which is announced to everybody.
 * `sit`: you sit down in the first seat, ready to play; `bots`: the levels of the bots that sit down next to you;
 * `buy_in`: the points of each (absent: the maximum that the rules allow). If no seat is left free, the first deal
 * begins at once. With `like` and `sit`, you sit down, as do the bots of the last deal, and the first deal begins
 * once all people of the last deal are back.
 */
export interface NewTable {
  readonly name: string;
  readonly rules: string | { readonly [key: string]: unknown };
  readonly bots_allowed?: boolean;
  readonly pause?: number | null;
  readonly start?: 'full' | 'host';
  readonly private?: boolean;
  readonly like?: string;
  readonly password?: string;
  readonly arranging?: boolean;
  readonly hints?: boolean;
  readonly sit?: boolean;
  readonly bots?: readonly string[];
  readonly buy_in?: number | null;
}

/** A token to create: your own label for it, and its scopes. Every token may `read`. */
export interface NewTokenRequest {
  readonly label: string;
  readonly scopes?: readonly ('host' | 'play' | 'read')[];
}

/**
 * Announce a tournament; for the fields see TournamentConfig.
 *
 * `seats`: 0 for as many as the game has. `fill`: the level of the bots that fill the empty places at the start.
 * `rounds`: of a duplicate league, which begins when it is full. `password`: for registering; the tournament is
 * private too.
 */
export interface NewTournament {
  readonly name: string;
  readonly rules: string | { readonly [key: string]: unknown };
  readonly stack: number;
  readonly levels: readonly number[];
  readonly level_kind: 'deals' | 'minutes';
  readonly level_length: number;
  readonly most: number;
  readonly least?: number;
  readonly seats?: number;
  readonly starts_at?: number | null;
  readonly bots_allowed?: boolean;
  readonly fill?: string;
  readonly late?: number;
  readonly reentries?: number;
  readonly break_every?: number;
  readonly break_minutes?: number;
  readonly pause?: number;
  readonly prize_kind?: 'none' | 'points' | 'shares';
  readonly prizes?: readonly number[];
  readonly fee?: number;
  readonly rounds?: number;
  readonly private?: boolean;
  readonly password?: string;
}

/** Propose a stake with another seat (points are multiplied); agreed when both have offered the same. */
export interface OfferStake {
  readonly do: 'offer_stake';
  readonly seat: number;
  readonly stake: number;
}

/** The request was done; there is nothing to return. */
export type Ok = Record<string, never>;

/** The proof of a card: `at` is its index in the dealt deck, 0 is the top; `salt` and `path` lead to the root. */
export interface Opening {
  readonly at: number;
  readonly card: string;
  readonly salt: string;
  readonly path: readonly string[];
}

/**
 * The values, in points from one opponent, with which bots set a fantasyland blindly.
 *
 * `front`, `middle`, `back`: by the kernel's classes of rows; `land`: of the next fantasyland, by its cards from 0.
 */
export interface OpponentModel {
  readonly front: readonly number[];
  readonly middle: readonly number[];
  readonly back: readonly number[];
  readonly land: readonly number[];
}

/**
 * An option of the rules with everything that an editor shows of it.
 *
 * `kind`: the control; a `choice` with bounds also takes a number between them: `whole` or not, and with `above`
 * greater than `low`. `resets`: the options that are reset when this one is chosen. The options of a list's entries
 * follow it, and their keys begin with its key. `words`: the names of the parts of its key.
 */
export interface OptionInfo {
  readonly key: string;
  readonly words: readonly string[];
  readonly kind: 'choice' | 'conditions' | 'list' | 'number' | 'ranks' | 'rows' | 'switch' | 'text';
  readonly expects: string;
  readonly about: string;
  readonly choices: readonly ChoiceInfo[];
  readonly low: number | null;
  readonly high: number | null;
  readonly whole: boolean;
  readonly above: boolean;
  readonly resets: readonly string[];
}

/**
 * An option of the rules: its dotted key, its type, and a description.
 *
 * `choices` is empty for numbers and texts; `value` is the option's value in the preset.
 */
export interface OptionItem {
  readonly key: string;
  readonly kind: string;
  readonly choices: readonly string[];
  readonly value: unknown;
  readonly text: string;
}

/** The total that `a` has won from `b` over the session. */
export interface PairBalance {
  readonly a: string;
  readonly b: string;
  readonly points: number;
  readonly money: number;
}

/** The payment of `b` to `a` in a deal: `points` before stakes, the stake, and `moved` after stake and caps. */
export interface PairPoints {
  readonly a: string;
  readonly b: string;
  readonly points: number;
  readonly stake: number;
  readonly moved: number;
}

/** The response of the browser's authenticator, as JSON by the WebAuthn standard. */
export interface Passkey {
  readonly credential: unknown;
}

/** A stored passkey: its id on this server, and when it was created (ms). */
export interface PasskeyItem {
  readonly key: string;
  readonly made: number;
}

/** The options for the browser's `navigator.credentials`, as JSON by the WebAuthn standard. */
export interface PasskeyOptions {
  readonly options: unknown;
}

/** Host: stop every clock until `ResumePlay`. */
export interface Pause {
  readonly do: 'pause';
}

/** Host: stop all clocks: those of the tables, of the level and of a break. */
export interface PausePlay {
  readonly do: 'pause';
}

/** Keep the connection alive; the reply is `Pong`. */
export interface Ping {
  readonly t: 'ping';
}

/** Confirm the street. The cards of the street that are not in `layout` are the discards. */
export interface Place {
  readonly do: 'place';
  readonly hand: number;
  readonly layout: Layout;
}

/** At a table without a clock, have the cards of a player whose turn has timed out placed automatically. */
export interface PlaceFor {
  readonly do: 'place_for';
  readonly seat: number;
}

/** A player's place in a tournament, 1 for the winner; players who share a place have the same number. */
export interface PlaceView {
  readonly player: string;
  readonly name: string;
  readonly place: number;
}

/**
 * One placement: cards by row and discards as text, its points and their parts.
 *
 * `value` = `rows` (scoop included) + `royalties` + `fouls` + `fantasyland` + `stacks`, points from all opponents;
 * `stacks`: the part of the others that the stacks cannot pay, and in a tournament the value of the places;
 * `error`: the standard error, 0 when it is exact; `foul` and `enters`: chances of fouling and of fantasyland.
 * `behind`: points behind the best placement, with the standard error `behind_error`, which is smaller than those of
 * the values, since both get the same cards. `within_error`: `behind` is at most twice its error. `own` and
 * `opponents`: the points of each side; each of the first four parts is `own` less `opponents`.
 */
export interface PlacementValue {
  readonly front: readonly string[];
  readonly middle: readonly string[];
  readonly back: readonly string[];
  readonly discards: readonly string[];
  readonly value: number;
  readonly error: number;
  readonly rollouts: number;
  readonly rows: number;
  readonly royalties: number;
  readonly fouls: number;
  readonly fantasyland: number;
  readonly foul: number;
  readonly enters: number;
  readonly stacks: number;
  readonly behind: number;
  readonly behind_error: number;
  readonly within_error: boolean;
  readonly own: Side;
  readonly opponents: Side;
}

/** A player's total over the session: points before stakes, and money after them. */
export interface PlayerBalance {
  readonly player: string;
  readonly deals: number;
  readonly points: number;
  readonly money: number;
}

/**
 * The price of a point; `unit` is its name, such as EUR. The default, one point for a point, is not a price.
 *
 * A whole number is an int as in browsers, so that a view has the same text on both sides.
 */
export interface PointPrice {
  readonly point: number;
  readonly unit: string;
}

/** A deal given by points only, by player before stakes; `pairs` is empty where they are not known. */
export interface PointsSheet {
  readonly deal: number;
  readonly players: readonly string[];
  readonly points: readonly number[];
  readonly pairs: readonly PairPoints[];
}

/** The server's clock in ms. */
export interface Pong {
  readonly t: 'pong';
  readonly now: number;
}

/** A premove that the viewer may set: the coming task, and what they have set (`kept`), with its `layout`. */
export interface PremoveView {
  readonly task: Task;
  readonly kept: '' | 'arrange' | 'place' | 'play' | 'surrender';
  readonly layout: Layout;
}

/** A preset in full: its rules as data, in words, and every option with its value. */
export interface PresetDetail {
  readonly preset: string;
  readonly title: string;
  readonly rules: Ruleset;
  readonly words: readonly string[];
  readonly options: readonly OptionItem[];
  readonly summary: readonly SummaryPart[];
}

/** A preset in the lobby's list; `playable`: this server can deal it now. */
export interface PresetItem {
  readonly preset: string;
  readonly title: string;
  readonly game: string;
  readonly summary: string;
  readonly seats_min: number;
  readonly seats_max: number;
  readonly buy_in_min: number;
  readonly buy_in_max: number;
  readonly playable: boolean;
}

/**
 * A guest's proof of identity, needed once they have a sign-in method.
 *
 * Their password, or the authenticator's response to `POST /api/signin/passkey/options`.
 */
export interface Proof {
  readonly password?: string;
  readonly passkey?: Passkey | null;
}

/**
 * The record of how a deal's deck was made, with proofs of the cards that the viewer sees.
 *
 * `order`: the hand that each card went to, from the top of the dealt deck.
 */
export interface Proofs {
  readonly deal: number;
  readonly order: readonly number[];
  readonly record: DeckRecord;
}

/**
 * A collection of puzzles under the same rules.
 *
 * `file`: its address, JSON Lines (docs/reference/files.md).
 */
export interface PuzzleCollection {
  readonly title: string;
  readonly rules: string | { readonly [key: string]: unknown };
  readonly count: number;
  readonly file: string;
}

/** A QR code without margin: its modules a side, and the dark modules as an SVG path of that size. */
export interface QrCode {
  readonly size: number;
  readonly path: string;
}

/** A hand that a row can still become with its cards, and its royalty in points. */
export interface ReachableRoyalty {
  readonly hand: string;
  readonly points: number;
}

/** A rules file to read. */
export interface ReadRules {
  readonly toml: string;
}

/** Start the next deal without waiting for the pause to end. */
export interface Ready {
  readonly do: 'ready';
}

/** The secret of a link: the part after its `#`. */
export interface RedeemDeviceLink {
  readonly token: string;
}

/**
 * Register; also after the start, and again after elimination, if the tournament allows it.
 *
 * `password`: if the tournament has one; the server verifies it and never stores it.
 */
export interface Register {
  readonly do: 'register';
  readonly password?: string;
}

/** A command was not done; nothing has changed. */
export interface Rejected {
  readonly t: 'refused';
  readonly cmd_id: string;
  readonly table: string;
  readonly error: WireError;
}

/** Host: remove all bots, before the start. */
export interface RemoveBots {
  readonly do: 'remove_bots';
}

/** Host: remove a player permanently, at once or when their match is over; their chips go out of play. */
export interface RemovePlayer {
  readonly do: 'remove';
  readonly player: string;
}

/** Host: remove a spectator, who may no longer see this table. */
export interface RemoveViewer {
  readonly do: 'remove_viewer';
  readonly player: string;
}

/** Change the guest's name. */
export interface Rename {
  readonly name: string;
}

/**
 * A finished deal, step by step, with the cards that `seen_by` knew and no others.
 *
 * `names` and `stacks` (points before the deal, may be empty) are by hand; `you`: the seat of the requesting player.
 * `match` is 0 and `table` empty if unknown; `started` in ISO 8601.
 */
export interface Replay {
  readonly table: string;
  readonly title: string;
  readonly match: number;
  readonly number: number;
  readonly started: string;
  readonly names: readonly string[];
  readonly stacks: readonly number[];
  readonly you: number | null;
  readonly seen_by: 'all' | 'seat' | 'spectator';
  readonly frames: readonly ReplayFrame[];
  readonly sheet: ScoreSheet | null;
}

/** The deal after an action, `at` milliseconds after its start; `hand` acted (None: the dealer). */
export interface ReplayFrame {
  readonly at: number;
  readonly text: string;
  readonly hand: number | null;
  readonly view: DealView;
}

/** A deal's history as text, to replay. */
export interface ReplayRequest {
  readonly text: string;
}

/** Delay the next deal by a minute; once a deal, at a table without a clock any number of times. */
export interface RequestDelay {
  readonly do: 'wait';
}

/** Report that you look at a hint for a hand that is to place; your own device computes the hint. */
export interface RequestHint {
  readonly do: 'hint';
  readonly hand: number;
}

/**
 * The parts of one hand's result, in points: `result` = `luck` + `skill`, to the last digit.
 *
 * `result`: what the deal paid, the next fantasylands counted at their value, all as far as the stacks reach.
 * `lost`: the losses of its own placements; `given`: its share of the losses of the others (split among their
 * opponents). Where all cards are known, `luck` is that of the cards and `skill` the rest; else `skill` is minus
 * `lost`, and `luck` the rest.
 */
export interface ResultBreakdown {
  readonly hand: number;
  readonly player: string;
  readonly result: number;
  readonly lost: number;
  readonly given: number;
  readonly luck: number;
  readonly skill: number;
}

/** Host: end a pause. */
export interface ResumePlay {
  readonly do: 'go_on';
}

/** Host: end a pause. */
export interface ResumePlay {
  readonly do: 'go_on';
}

/** Add the next link (hex) of your hash chain to the commitment with this number. */
export interface RevealLink {
  readonly do: 'give_link';
  readonly number: number;
  readonly link: string;
}

/** All decisions in order, the worst mistakes, and each hand's share. `whole`: every hand's cards were known. */
export interface Review {
  readonly decisions: readonly ReviewedDecision[];
  readonly dearest: readonly ReviewedDecision[];
  readonly shares: readonly ResultBreakdown[];
  readonly whole: boolean;
}

/**
 * A hand of the deal. `result`: its payments in the deal, with the next fantasylands at their value.
 *
 * `player` (base64) replaces that of the analysis for this hand, if its stacks do not suffice for a whole
 * fantasyland; `result` is null if there are no weights for the rules.
 */
export interface ReviewHand {
  readonly name: string;
  readonly seat: number;
  readonly result: number | null;
  readonly player: string | null;
}

/**
 * A finished deal for the server to review: a history as `text`, or a `deal` of a `table` as you knew it.
 *
 * `error`: the standard error in points at which the search of a placement stops; the same seed, the same review.
 */
export interface ReviewRequest {
  readonly text?: string;
  readonly table?: string;
  readonly deal?: number;
  readonly error?: number;
  readonly seed?: number;
}

/**
 * The data with which a browser reviews a finished deal: the hands whose cards the reader knows.
 *
 * `rules`: as overrides on a preset, or null. `stacks` (base64): the limits of payments, the kernel's last input for
 * a position. `you`, `match` and `seen_by` as in a replay. `levels`: points lost per decision by bot level, if
 * measured under these rules.
 */
export interface ReviewSetup {
  readonly table: string;
  readonly title: string;
  readonly match: number;
  readonly number: number;
  readonly you: number | null;
  readonly seen_by: 'all' | 'seat';
  readonly rules: { readonly [key: string]: unknown } | null;
  readonly analysis: AnalysisSetup;
  readonly stacks: string;
  readonly hands: readonly ReviewHand[];
  readonly streets: readonly ReviewStreet[];
  readonly levels: { readonly [key: string]: number };
}

/** A deal's history as text, which the browser will review. */
export interface ReviewSetupRequest {
  readonly text: string;
}

/**
 * A street of a hand: the position that its player saw, and their placement.
 *
 * `step`: the action's number in the history, from 0; `street`: from 1, 0 in fantasyland. `in_row`: how many
 * fantasylands in a row this is for the hand, 0 outside fantasyland.
 */
export interface ReviewStreet {
  readonly step: number;
  readonly hand: number;
  readonly street: number;
  readonly position: string;
  readonly layout: Layout;
  readonly discards: readonly string[];
  readonly in_row: number;
}

/**
 * One placement of the deal. `lost`: points against the best placement, from all opponents; `error`: of `lost`.
 *
 * `step`: the action's number in the history, from 0. `best`: by the last measurement, which compares the two alone.
 * `behind`: the loss as measured; below 0 where the chosen placement measured better, then `lost` is 0.
 * `within_error`: the difference is within the error. `ahead`: the best placement's points over the second.
 * `counted`: it counts for an error rate (rating.py). `street`: from 1, 0 where a whole fantasyland was set; those
 * never count for a rate.
 */
export interface ReviewedDecision {
  readonly step: number;
  readonly hand: number;
  readonly street: number;
  readonly position: string;
  readonly chosen: PlacementValue;
  readonly best: PlacementValue;
  readonly lost: number;
  readonly error: number;
  readonly behind: number;
  readonly ahead: number;
  readonly counted: boolean;
  readonly within_error: boolean;
}

/**
 * One row: its cards (pending ones included), its name as it grows, its royalty so far.
 *
 * `warning` is set for the owner when the row can no longer be legal ("middle now beats back").
 */
export interface RowView {
  readonly cards: readonly string[];
  readonly name: string;
  readonly royalty: number;
  readonly warning: string;
}

/** The ranking of rows, and the legality of boards (Rules §3). */
export interface Rows {
  readonly order: 'ge' | 'gt';
  readonly wheel: 'lowest' | 'second';
  readonly middle: 'deuce_to_seven' | 'high';
  readonly low_limit: 'none' | 'ten';
  readonly tie_break: 'none' | 'suits';
  readonly suits: 'cshd' | 'dchs';
  readonly joker_value: 'best_legal' | 'best_row' | 'best_total';
  readonly joker_domain: 'any' | 'not_on_own_board';
  readonly five_of_a_kind: boolean;
}

/** The payment of royalties (Rules §4). */
export interface Royalties {
  readonly table: RoyaltyTable;
  readonly rule: 'difference' | 'row_winner';
  readonly deuce_of_spades: boolean;
  readonly one_per_board: boolean;
  readonly broken_up: 'lost' | 'paid';
  readonly declare: 'auto' | 'must';
}

/** A hand of one row and its royalty in points. */
export interface Royalty {
  readonly hand: ExampleHand;
  readonly points: number;
}

/** A royalty table (Rules §4); `name` is shown to people. */
export interface RoyaltyTable {
  readonly name: string;
  readonly back: FiveRoyalties;
  readonly middle: FiveRoyalties;
  readonly front: FrontRoyalties;
  readonly low: LowRoyalties;
}

/** An option that differs from the preset: its value now, and the preset's. */
export interface RulesChange {
  readonly key: string;
  readonly now: unknown;
  readonly before: unknown;
}

/** A `warning` or an `error` about rules. */
export interface RulesProblem {
  readonly level: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly path: string;
}

/** A heading and its sentences. */
export interface RulesSection {
  readonly heading: string;
  readonly sentences: readonly Sentence[];
}

/**
 * The rules in short, for the table's heading; the full text is at `/api/tables/{id}/rules`.
 *
 * `purse`: points are bought as `stacks`, kept in a ledger and settled at the end (`book`), or only counted
 * (`count`). `bank`: the player with the button is the banker, against whom all others play. `clocked`: placing
 * cards has a time limit.
 */
export interface RulesView {
  readonly preset: string;
  readonly title: string;
  readonly summary: string;
  readonly game: string;
  readonly seats_min: number;
  readonly seats_max: number;
  readonly buy_in_min: number;
  readonly buy_in_max: number;
  readonly stake_point: number;
  readonly stake_unit: string;
  readonly purse: 'book' | 'count' | 'stacks';
  readonly bank: boolean;
  readonly clocked: boolean;
}

/** A complete, resolved set of rules: every table in full. Hashable. */
export interface Ruleset {
  readonly name: string;
  readonly title: string;
  readonly deal: Deal;
  readonly rows: Rows;
  readonly foul: Foul;
  readonly scoring: Scoring;
  readonly royalties: Royalties;
  readonly naturals: Naturals;
  readonly surrender: Surrender;
  readonly fantasyland: Fantasyland;
  readonly settlement: Settlement;
  readonly stake: Stake;
  readonly match: Match;
  readonly clock: Clock;
  readonly timeout: Timeout;
  readonly seats: Seats;
  readonly tournament: Tournament;
}

/**
 * All of a session's deals under the same rules.
 *
 * `points` as in DealResult, with the prizes of matches.
 */
export interface RulesetTotal {
  readonly preset: string;
  readonly title: string;
  readonly worth: number;
  readonly unit: string;
  readonly deals: number;
  readonly points: number;
  readonly fantasylands: number;
  readonly fouls: number;
}

/** A review saved in an account: `text` has the client's own format; empty if there is none. */
export interface SavedReview {
  readonly text: string;
}

/** Table talk. */
export interface Say {
  readonly do: 'say';
  readonly text: string;
}

/** A deal to score; `number`: for its sheet. */
export interface ScoreDealRequest {
  readonly deal: { readonly [key: string]: unknown };
  readonly number?: number;
}

/** All deals of a session. */
export interface ScoreSessionRequest {
  readonly deals: readonly { readonly [key: string]: unknown }[];
}

/**
 * A deal's whole sheet, in position order; `stacks` is empty until the table has settled it.
 *
 * `price`: what a point of this deal was worth, None where points are only points.
 */
export interface ScoreSheet {
  readonly deal: number;
  readonly hands: readonly SheetHand[];
  readonly pairs: readonly SheetPair[];
  readonly stacks: readonly SheetStack[];
  readonly price?: PointPrice | null;
}

/**
 * A deal of a session: its sheet, its points if only those are known, or the error.
 *
 * All are null for a deal that was removed.
 */
export interface ScoredDeal {
  readonly sheet: ScoreSheet | null;
  readonly error: WireError | null;
  readonly points: PointsSheet | null;
}

/** A scored session: each deal, and the ledger of the deals that could be scored. */
export interface ScoredSession {
  readonly deals: readonly ScoredDeal[];
  readonly tallies: readonly Ledger[];
}

/**
 * The set-up data of the scorer: what it has to ask under these rules.
 *
 * `boards`: of each player (criss-cross: two); `fantasyland`: the possible numbers of cards; `in_row`: the number of
 * fantasylands in a row matters; `declare`: royalties count only if they were announced. `zero_sum`: the points of a
 * deal sum to 0. `own` is null if the score needs more than points (a loss limit, or the prize of a match), or if
 * suits break ties and the deck has jokers.
 */
export interface ScorerSetup {
  readonly title: string;
  readonly deck: readonly string[];
  readonly players_min: number;
  readonly players_max: number;
  readonly boards: number;
  readonly surrender: number;
  readonly natural: boolean;
  readonly declare: boolean;
  readonly fantasyland: readonly number[];
  readonly in_row: boolean;
  readonly point: number;
  readonly unit: string;
  readonly zero_sum: boolean;
  readonly own: LocalScoring | null;
}

/** The rules under which to score deals. */
export interface ScorerSetupRequest {
  readonly rules: string | { readonly [key: string]: unknown };
}

/**
 * Row points of a pair (Rules §4). `points` (front, middle, back) and `bonus` apply to `rows = custom`.
 *
 * `doubles`: the points that a scoop or a home-run doubles, those of the rows alone or the pair's royalties too. A
 * natural plays no rows, so it is never doubled. `pairs`: the pairs that are scored; the banker is the button.
 */
export interface Scoring {
  readonly rows: 'custom' | 'first_to_11' | 'match_1_6' | 'match_2_6' | 'one_four' | 'per_row' | 'per_row_scoop3' | 'two_four';
  readonly points: readonly number[];
  readonly bonus: number;
  readonly match_tied: 'more_rows' | 'needs_two_rows';
  readonly scoop_doubles: boolean;
  readonly home_run_doubles: boolean;
  readonly doubles: 'all' | 'rows';
  readonly pairs: 'all' | 'banker';
}

/** Host: put a bot of a level into an empty seat. */
export interface SeatBot {
  readonly do: 'seat_bot';
  readonly seat: number;
  readonly level: string;
  readonly buy_in?: number;
}

/**
 * One seat. `player` is empty for a free seat; `level` is a bot's level. `stack` in points.
 *
 * `away`: its cards are placed at once, because its time ran out (until `sit_in`, or any action of the player), the
 * player has left and is not connected, or the host has freed the seat.
 * `fantasyland`: cards that this seat gets in the next deal (0 = none). `program`: a program plays for the player.
 * `planned_buy_in`: points that a bust player adds when the match is over.
 */
export interface SeatView {
  readonly seat: number;
  readonly player: string;
  readonly name: string;
  readonly bot: boolean;
  readonly level: string;
  readonly stack: number;
  readonly in_match: boolean;
  readonly sitting_out: boolean;
  readonly leaving: boolean;
  readonly connected: boolean;
  readonly away: boolean;
  readonly ready: boolean;
  readonly fantasyland: number;
  readonly bank_ms: number;
  readonly program: boolean;
  readonly planned_buy_in: number;
}

/** The number of players, and the buy-in in points. */
export interface Seats {
  readonly min: number;
  readonly max: number;
  readonly buy_in_min: number;
  readonly buy_in_max: number;
}

/** A heading and its sentences. */
export interface Section {
  readonly heading: string;
  readonly sentences: readonly string[];
}

/** A sentence of the rules; `changed`: the preset does not have it. */
export interface Sentence {
  readonly text: string;
  readonly changed: boolean;
}

/**
 * A session and a page of its deals in order.
 *
 * `after`: the parameter for the next page, 0 on the last one.
 */
export interface SessionDeals {
  readonly evening: SessionItem;
  readonly deals: readonly DealResult[];
  readonly after: number;
}

/**
 * A session at a table: when it began and ended (ms), and the other players.
 *
 * `parts`: the totals by rules; `open`: the table is still open.
 */
export interface SessionItem {
  readonly table: string;
  readonly name: string;
  readonly began: number;
  readonly ended: number;
  readonly company: readonly string[];
  readonly parts: readonly RulesetTotal[];
  readonly open: boolean;
}

/** A page of sessions, newest first; `before`: the parameter for the next page, empty on the last one. */
export interface Sessions {
  readonly evenings: readonly SessionItem[];
  readonly before: string;
}

/** Set a premove, which the hand does as soon as it is to act; None withdraws it. */
export interface SetPremove {
  readonly do: 'ahead';
  readonly hand: number;
  readonly action?: Arrange | Place | Announce | null;
}

/**
 * Table stakes (Rules §6). `loss_limit`: the maximum points that a player loses in a deal, 0 = no limit.
 *
 * `credit`: points are kept in a ledger; stacks limit no payment, and balances may be negative.
 */
export interface Settlement {
  readonly cap: 'min_current' | 'min_stack_at_start' | 'none';
  readonly after_bust: 'continue' | 'stop';
  readonly loss_limit: number;
  readonly credit: boolean;
}

/** A player's points in the deal of a day, computed on their device. */
export interface ShareDailyResult {
  readonly points: number;
}

/** One board: its rows, its points over all pairs, and the fantasyland it brings (cards, 0 = none). */
export interface SheetHand {
  readonly hand: number;
  readonly seat: number;
  readonly player: string;
  readonly status: 'foul' | 'legal' | 'natural' | 'surrendered';
  readonly front: SheetRow | null;
  readonly middle: SheetRow | null;
  readonly back: SheetRow | null;
  readonly natural: string;
  readonly royalties: number;
  readonly points: number;
  readonly fantasyland: number;
  readonly fantasyland_why: string;
}

/**
 * One pair: what `a` receives from `b` (negative: pays).
 *
 * `won`: +1, 0, -1 for front, middle, back as `a` sees them, also where rows have no points of their own (a match);
 * `points` is the sum of the cells; `moved` is what changed hands after stake and caps (equal to `points`
 * without them).
 */
export interface SheetPair {
  readonly a: number;
  readonly b: number;
  readonly front: Cell;
  readonly middle: Cell;
  readonly back: Cell;
  readonly scoop: Cell;
  readonly royalties: Cell;
  readonly other: Cell;
  readonly points: number;
  readonly stake: number;
  readonly moved: SheetTransfer;
  readonly won: readonly [number, number, number];
}

/** One row of a board as it was scored; `cards` as text. */
export interface SheetRow {
  readonly cards: readonly string[];
  readonly name: string;
  readonly royalty: number;
}

/**
 * A seat's stack before and after the deal, in points.
 *
 * `prize`: what the match that ended with the deal paid besides `change`, negative for the player who paid it.
 */
export interface SheetStack {
  readonly seat: number;
  readonly player: string;
  readonly before: number;
  readonly change: number;
  readonly after: number;
  readonly prize?: number;
}

/** The amount that changed hands and its reason; a whole number where stakes and stacks are. */
export interface SheetTransfer {
  readonly points: number;
  readonly why: string;
}

/**
 * The points that one side of the table makes: rows that it wins, its royalties, fouls and fantasyland.
 *
 * A foul costs its own side, so `fouls` is at most 0 where it holds nothing else.
 *
 * >>> Side(rows=3, royalties=9)
 * Side(rows=3, royalties=9, fouls=0.0, fantasyland=0.0)
 */
export interface Side {
  readonly rows: number;
  readonly royalties: number;
  readonly fouls: number;
  readonly fantasyland: number;
}

/** The sign-in methods of a guest: the name that has a password (None: there is none), and passkeys. */
export interface SignInMethods {
  readonly name: string | null;
  readonly passkeys: readonly PasskeyItem[];
}

/**
 * Take a seat with a buy-in in points, 0 where the table has none; `head` as in `fix_chain`.
 *
 * `ready`: the player is ready for the first match too, as with `Ready`; ignored once play has begun.
 */
export interface Sit {
  readonly do: 'sit';
  readonly seat: number;
  readonly buy_in?: number;
  readonly head?: string | null;
  readonly ready?: boolean;
}

/** Play the next match again. */
export interface SitIn {
  readonly do: 'sit_in';
}

/** Play no new match until `SitIn`; pending fantasylands are still played. */
export interface SitOut {
  readonly do: 'sit_out';
}

/**
 * The stacks of a deal, by hand, in chips (outside tournaments a chip is a point).
 *
 * `chips`: before the deal, empty in ledger mode, where payments have no bounds. `point`: chips that a point is
 * worth; `stakes`: the same of each pair, in deal order (0-1, 0-2, …, 1-2, …), empty: `point` for all. In a
 * tournament: `prizes` by place, the first one first, of the places that are still open, and `elsewhere` the chips
 * of players who are still in and sit at other tables.
 */
export interface Stacks {
  readonly chips: readonly number[];
  readonly point: number;
  readonly stakes: readonly number[];
  readonly prizes: readonly number[];
  readonly elsewhere: readonly number[];
}

/** The price of a point, and the name of its unit, such as EUR. */
export interface Stake {
  readonly point: number;
  readonly unit: string;
}

/**
 * A pair's stake, by which points are multiplied.
 *
 * `offered_by`: the seat that offered it, None once agreed. `next_deal`: it is agreed, but the deal in progress is
 * still played for another stake.
 */
export interface StakeView {
  readonly a: number;
  readonly b: number;
  readonly stake: number;
  readonly offered_by: number | null;
  readonly next_deal: boolean;
}

/** Host: start the first match. */
export interface Start {
  readonly do: 'start';
}

/** Host: start now. */
export interface StartNow {
  readonly do: 'begin';
}

/** The bots' strategy for a table's rules: the rules' `own`, otherwise that of the preset `like`. */
export interface StrategyInfo {
  readonly own: boolean;
  readonly like: string;
}

/**
 * Subscribe to a table, or change the language; with `since`, the events after that version are sent too.
 *
 * `whole`: each update is the whole view with its events; otherwise only the first is, and patches follow.
 */
export interface Subscribe {
  readonly t: 'watch';
  readonly table: string;
  readonly since?: number | null;
  readonly language?: 'en' | 'es' | 'fi' | 'ru' | 'vi' | 'zh';
  readonly whole?: boolean;
}

/** A part of the summary, and the sentences of the rules that explain it. */
export interface SummaryPart {
  readonly text: string;
  readonly about: readonly string[];
}

/** Points that a surrender pays to each opponent in a closed game; 0 = not allowed. */
export interface Surrender {
  readonly points: number;
}

/** A table that was opened, and the path of its page. */
export interface TableLink {
  readonly table: string;
  readonly link: string;
}

/** The address of a table's page, also as a QR code. */
export interface TableLinkCode {
  readonly link: string;
  readonly qr: QrCode;
}

/** A table's password: given by a guest, or chosen by the host (empty: none). */
export interface TablePasswordBody {
  readonly password: string;
}

/**
 * A table's rules in words, as a chart of hands, as TOML, and as differences from the preset they extend.
 *
 * `coming`: the rules chosen for the next match, as TOML; empty if none are.
 */
export interface TableRules {
  readonly preset: string;
  readonly title: string;
  readonly summary: readonly SummaryPart[];
  readonly sections: readonly Section[];
  readonly chart: Chart;
  readonly differences: readonly string[];
  readonly toml: string;
  readonly coming: string;
}

/**
 * Everything a viewer may know of a table at version `v`.
 *
 * `you` is the viewer's seat, None for a spectator; `may` lists the tags of the requests that the viewer may make
 * now besides the deal's tasks ("sit", "leave", "ready", …).
 * `prompt`: the line that says what is expected; `yours`: it is expected of the viewer. `host`: the player with the
 * host's rights now. `begun`: the first match has begun or may begin. `paused`: since when every clock stands still
 * (ms). `closing`: this match is the last. `coming`: the rules from the next match on, if they were changed.
 * `password`: the table has a password. `arranging`: players may have their cards arranged; `hints`: players may
 * request hints. `cup`: the tournament whose table this is.
 * `guided`: the viewer may ask the guide, since everybody else at the table is a bot. `ahead`: the premoves that the
 * viewer may set; `dropped`: a premove could not be done in this deal.
 * `turns`: the seats to act at a table without a clock. `owner`: the player who owns the table; while they are away,
 * `host` replaces them. `fair`: the decks that are committed before they are dealt.
 */
export interface TableView {
  readonly table: string;
  readonly v: number;
  readonly name: string;
  readonly host: string;
  readonly rules: RulesView;
  readonly phase: 'closed' | 'playing' | 'showdown' | 'waiting';
  readonly seats: readonly SeatView[];
  readonly you: number | null;
  readonly may: readonly string[];
  readonly button: number | null;
  readonly match: MatchView | null;
  readonly deal: DealView | null;
  readonly sheet: ScoreSheet | null;
  readonly clocks: readonly ClockView[];
  readonly next_at: number | null;
  readonly prompt: string;
  readonly yours: boolean;
  readonly stakes: readonly StakeView[];
  readonly talk: readonly ChatLineView[];
  readonly level: LevelView | null;
  readonly places: readonly PlaceView[];
  readonly accounts: readonly AccountView[];
  readonly debts: readonly DebtView[];
  readonly begun: boolean;
  readonly paused: number | null;
  readonly locked: boolean;
  readonly private: boolean;
  readonly closing: boolean;
  readonly coming: string;
  readonly password: boolean;
  readonly arranging: boolean;
  readonly hints: boolean;
  readonly cup: string;
  readonly guided: boolean;
  readonly ahead: readonly PremoveView[];
  readonly dropped: boolean;
  readonly turns: readonly TurnView[];
  readonly owner: string;
  readonly fair: FairView;
}

/**
 * The current task of the viewer, for one hand.
 *
 * `place`: `place` of the street's `cards` go into rows, `discard` are left over; `layout`
 * is the arrangement so far. `legal`: False when confirming it would certainly foul. `natural`: the name of the
 * natural held, which may be claimed instead of placing. `rows`: rows whose royalties may be declared.
 */
export interface Task {
  readonly hand: number;
  readonly kind: 'announce' | 'declare' | 'place';
  readonly street: number;
  readonly cards: readonly string[];
  readonly place: number;
  readonly discard: number;
  readonly open: FreeSlots;
  readonly layout: Layout;
  readonly legal: boolean;
  readonly natural: string;
  readonly surrender: number;
  readonly rows: readonly RowName[];
}

/** The consequences when the clock and the time bank have run out (Rules §6). */
export interface Timeout {
  readonly layout: 'best_legal' | 'foul' | 'received_back_first';
  readonly scope: 'deal' | 'street';
  readonly after: 'end_match' | 'none' | 'sit_out';
}

/** A token: its id, its owner's label, its scopes, and when it was created (`made`, ms). */
export interface TokenItem {
  readonly token: string;
  readonly label: string;
  readonly scopes: readonly ('host' | 'play' | 'read')[];
  readonly made: number;
}

/** Add points to your stack, between deals; a player who is bust in a match gets them when it is over. */
export interface TopUp {
  readonly do: 'top_up';
  readonly points: number;
}

/** A session's points under the rules with index `part` in the totals; `at`: when it ended (ms). */
export interface TotalStep {
  readonly at: number;
  readonly name: string;
  readonly part: number;
  readonly points: number;
  readonly deals: number;
}

/** Levels that raise the value of a point in chips; `off` outside tournaments. */
export interface Tournament {
  readonly levels: string;
  readonly chips_per_point: readonly number[];
}

/**
 * A tournament in the lobby's list.
 *
 * `left`: how many of its `players` are still in it; `mine`: it is the guest's. `winners`: all who share the first
 * place once it is over; `winner`: the first of them.
 */
export interface TournamentItem {
  readonly cup: string;
  readonly name: string;
  readonly title: string;
  readonly phase: 'cancelled' | 'open' | 'over' | 'running';
  readonly players: number;
  readonly most: number;
  readonly left: number;
  readonly starts_at: number | null;
  readonly lets_in: boolean;
  readonly mine: boolean;
  readonly winner: string;
  readonly winners: readonly string[];
}

/** The level, from 1. The next one begins at `next_at` (ms), or with levels of deals after `deals_left` more. */
export interface TournamentLevelView {
  readonly number: number;
  readonly chips: number;
  readonly next_chips: number | null;
  readonly next_at: number | null;
  readonly deals_left: number | null;
}

/** A tournament that was announced, and the path of its page. */
export interface TournamentLink {
  readonly cup: string;
  readonly link: string;
}

/** A table: its number, its id on the server, its players, and whether a match is in progress. */
export interface TournamentTableView {
  readonly number: number;
  readonly table: string;
  readonly players: readonly string[];
  readonly playing: boolean;
}

/** A tournament as the viewer may see it now (`view`: a TournamentView); subscribe to it with `cup:<id>`. */
export interface TournamentUpdate {
  readonly t: 'cup';
  readonly cup: string;
  readonly v: number;
  readonly now: number;
  readonly view: TournamentView;
}

/**
 * A tournament as a viewer may see it at version `v`; times in ms.
 *
 * `may`: the tags of the requests that the viewer may make now. `lets_in`: new players may enter. `prizes`: the
 * payout of each place; `pool`: to which each entry adds `fee`, divided by the percentages `shares`; `left`: how
 * many players are still in it; `average`: their mean chips. `rounds`: of a league, 0 for a tournament; `round`:
 * the one in progress. `paused`: since when the host has paused every clock. `awaits`: only one player is left, but
 * others can still enter. `private`: the lobby does not list it; `password`: registering requires one.
 */
export interface TournamentView {
  readonly cup: string;
  readonly v: number;
  readonly name: string;
  readonly host: string;
  readonly title: string;
  readonly summary: string;
  readonly preset: string;
  readonly phase: 'cancelled' | 'open' | 'over' | 'running';
  readonly seats: number;
  readonly stack: number;
  readonly most: number;
  readonly least: number;
  readonly starts_at: number | null;
  readonly bots_allowed: boolean;
  readonly levels: readonly number[];
  readonly level_kind: 'deals' | 'minutes';
  readonly level_length: number;
  readonly late: number;
  readonly reentries: number;
  readonly break_every: number;
  readonly break_minutes: number;
  readonly rounds: number;
  readonly round: number;
  readonly level: TournamentLevelView;
  readonly rest_due: boolean;
  readonly rest_ends: number | null;
  readonly paused: number | null;
  readonly entries: readonly EntryView[];
  readonly tables: readonly TournamentTableView[];
  readonly left: number;
  readonly average: number;
  readonly lets_in: boolean;
  readonly awaits: boolean;
  readonly private: boolean;
  readonly password: boolean;
  readonly prize_kind: 'none' | 'points' | 'shares';
  readonly fee: number;
  readonly shares: readonly number[];
  readonly prizes: readonly number[];
  readonly pool: number;
  readonly started: number | null;
  readonly ended: number | null;
  readonly you: ViewerEntry;
  readonly may: readonly string[];
}

/** Host: make the person in a seat the host, permanently. */
export interface TransferHost {
  readonly do: 'hand_over';
  readonly seat: number;
}

/** A seat to act at a table without a clock; from `ends` (ms) on the others may request `place_for`. */
export interface TurnView {
  readonly seat: number;
  readonly ends: number;
}

/** Host: free a seat (a bot's or a player's) when the match is over. */
export interface Unseat {
  readonly do: 'unseat';
  readonly seat: number;
}

/** Unsubscribe from a table. */
export interface Unsubscribe {
  readonly t: 'unwatch';
  readonly table: string;
}

/**
 * A table as the viewer may see it now (`view` is a TableView), and the events that led here (may be empty).
 *
 * `now`: the table's own clock in ms, as all times of the view; it may be ahead of the server's (`Pong`). `paths`:
 * for a viewer who gets patches from now on, the numbered paths, and the form of the values at each.
 */
export interface Update {
  readonly t: 'update';
  readonly table: string;
  readonly v: number;
  readonly now: number;
  readonly events: readonly VersionedEvent[];
  readonly view: TableView;
  readonly paths?: readonly (readonly [string, unknown])[];
}

/** One version of a table; `e` is missing if the viewer may not see the event, so versions have no gaps. */
export interface VersionedEvent {
  readonly v: number;
  readonly e?: unknown;
}

/**
 * The changes of a table as the viewer may see it, between version `after`, which they have, and `v`.
 *
 * `parts`: paths and their new values, alternating. A path is its number in the update's `paths`, or text such as
 * `rules.title`. The value of a path that ends with a point, such as `deal.boards.1.`, is a list of parts with paths
 * relative to it; `laid.+` has the elements appended to a list; `may.~` an index in the list, how many elements are
 * removed from there, and their replacements. The view's own `v` is in no part. The form of a numbered path says how
 * to read its value: 0 as it is, 1 as a time in ms after `now`, 2 as a boolean (1 or 0), 3 as cards in one text or
 * the number of unknown cards, `[form]` as a list of such values, and an object as a list of the values of its
 * fields in this order; missing trailing fields are absent. `proof`: sometimes, the CRC-32 of the view's text after
 * the patch; a client whose view differs subscribes again.
 */
export interface ViewPatch {
  readonly t: 'parts';
  readonly table: string;
  readonly v: number;
  readonly after: number;
  readonly now: number;
  readonly parts: readonly unknown[];
  readonly proof?: number | null;
}

/**
 * The viewer's entry: their id (empty: they do not take part), the id of their table (empty: none now).
 *
 * `place`, `out`: as in their entry; 0 before play begins.
 */
export interface ViewerEntry {
  readonly player: string;
  readonly table: string;
  readonly place: number;
  readonly out: boolean;
}

/** A spectator of a table; `muted`: they may not chat there. */
export interface ViewerItem {
  readonly player: string;
  readonly name: string;
  readonly muted: boolean;
}

/** What went wrong, where, and what to do. `limit`: the limit that was reached, if any. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly path: string;
  readonly limit?: LimitHit;
}

/** Withdraw your registration, before the start. */
export interface Withdraw {
  readonly do: 'withdraw';
}

/** Withdraw the stake that you have offered another seat. */
export interface WithdrawStake {
  readonly do: 'withdraw_stake';
  readonly seat: number;
}
