"""The least that shows something: a screenful of rows, raw, in the alternate screen. Then it waits for a key."""

from __future__ import annotations

import os
import sys
import termios

if __name__ == "__main__":
    attributes = termios.tcgetattr(0)
    attributes[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(0, termios.TCSANOW, attributes)
    rows = "\r\n".join(f"row {number}" for number in range(40))
    os.write(sys.stdout.fileno(), f"\x1b[?1049h\x1b[H{rows}".encode())
    os.read(0, 1)
