// Money and points as people read them.

const number = (amount: number): string => {
  const size = Math.abs(amount);
  return size.toLocaleString(undefined, { minimumFractionDigits: Number.isInteger(size) ? 0 : 2, maximumFractionDigits: 6 });
};

const unitWord = (amount: number, unit: string): string => (unit === 'point' && Math.abs(amount) !== 1 ? 'points' : unit);

/** "3.50 EUR", "1 point". */
export const money = (amount: number, unit: string): string => `${number(amount)} ${unitWord(amount, unit)}`;

/** "+3.50", "−2", "0". */
export const signedMoney = (amount: number): string => `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${number(amount)}`;
