// Digs for gold under a roof that may come down, with a friend who tires.
VAR gold = 0
LIST friend = fresh, tired, gone
-> cave

=== cave ===
~ friend = fresh
- (floor)
+ {gold < 3} [dig] -> dig ->
  {RANDOM(1, 6) == 1: -> buried}
  -> floor
+ {gold < 3 and friend != gone} [let the friend dig]
  { friend:
  - fresh:
    ~ friend = tired
    ~ gold += 2
  - else:
    ~ friend = gone
  }
  -> floor
* {gold >= 3} [leave]
  # win
  # ending: rich
  -> END
* [go home] -> END

=== dig ===
~ gold += RANDOM(0, 1)
->->

=== buried ===
{shuffle:
- The roof comes down.
- Stones, and the dark.
}
-> END
