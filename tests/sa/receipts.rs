//! Receipts: orders in words, the odds of what can be fought now, who acts when.
