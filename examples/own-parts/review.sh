# Asks for a review, prints its verdict, and ends with 0 if it is good.
verdict=$(claude -p 'Review the change. Say APPROVED or REJECTED in the last line.' | tail -n 1)
echo "$verdict"
[ "$verdict" = APPROVED ]
