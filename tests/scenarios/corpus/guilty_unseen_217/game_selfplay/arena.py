import torch


class ConnectLine:
    """1-D board: fill the cells near your own stones, random opponent replies."""

    n_cells = 12

    def __init__(self, batch):
        self.board = torch.zeros(batch, self.n_cells)
        self.moves = 0

    def legal(self):
        return self.board == 0

    def play(self, action):
        rows = torch.arange(self.board.size(0))
        padded = torch.nn.functional.pad(self.board, (1, 1))
        reward = padded[rows, action] + padded[rows, action + 2]
        self.board[rows, action] = 1.0
        reply = torch.multinomial(self.legal().float(), 1).squeeze(1)
        self.board[rows, reply] = -1.0
        self.moves += 1
        return reward, self.moves >= 5
