// The mill, in ink.
# title: The mill
VAR coins = 2
VAR tries = 0
VAR key = false
-> road

=== road ===
A mill on the road, and {coins} coins in your pocket.
+ Into the mill -> mill
+ {tries < 2} [Look around] -> search
+ {coins >= 2} Pay the miller
    ~ coins = coins - 2
    ~ key = true
    -> mill

=== search
~ tries++
~ temp found = RANDOM(1, 6)
{
    - found >= 5:
        You find a key.
        ~ key = true
    - found == 1:
        ~ coins -= 1
}
+ Back
- -> road

=== mill
~ temp weather = RANDOM(1, 3)
/* nobody
   reads this */
+ {key} The iron door -> inside
+ {not key && weather != 3} [The ladder]
    -> inside.loft
+ {weather == 3} The window -> window
+ [Out again] -> road

= window
You fall.
-> END

== inside
Gold! # win
-> END
= loft
~ temp luck = RANDOM(0, 9)
{luck < 3 + tries: -> inside}
It was high.
-> DONE
