"""Connect-style game on small boards; planes are (1, player, row, col), the first player's first."""
import torch

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class DropFour:
    def __init__(self, rows, cols, need):
        self.rows, self.cols, self.need = rows, cols, need
        self.reset()

    def reset(self):
        self.board = torch.zeros(1, 2, self.rows, self.cols)
        self.turn, self.over, self.result = 0, False, 0.0
        return self.board

    def legal(self):
        return self.board[0, :, 0].sum(0) == 0

    def play(self, col):
        height = int(self.board[0, :, :, col].sum())
        row = self.rows - 1 - height
        self.board[0, self.turn, row, col] = 1.0  # <- culprit
        if self._wins(self.turn, row, col):
            self.over, self.result = True, 1.0 if self.turn == 0 else -1.0
        elif not self.legal().any():
            self.over = True
        self.turn = 1 - self.turn
        return self.board  # <- culprit

    def _wins(self, who, row, col):
        own = self.board[0, who].tolist()
        for dr, dc in DIRECTIONS:
            run = 1
            for sign in (1, -1):
                r, c = row + sign * dr, col + sign * dc
                while 0 <= r < self.rows and 0 <= c < self.cols and own[r][c] == 1.0:
                    run += 1
                    r, c = r + sign * dr, c + sign * dc
            if run >= self.need:
                return True
        return False
