import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

VERBS = ("open", "close", "play")
FILLER = ("the", "door", "song", "now", "please", "window", "again", "slowly")


class CommandPhrases(Dataset):
    """Phrases with their vectors; a phrase that was asked for once is not tokenised again."""

    def __init__(self, vectors, size):
        g = torch.Generator().manual_seed(7)
        self.vectors = vectors
        self.rows = []
        for _ in range(size):
            intent = int(torch.randint(3, (1,), generator=g))
            extra = torch.randint(len(FILLER), (int(torch.randint(1, 5, (1,), generator=g)),), generator=g)
            self.rows.append((" ".join([VERBS[intent], *(FILLER[i] for i in extra.tolist())]), intent))
        self.ready = {}

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        text, intent = self.rows[i]
        if i not in self.ready:
            self.ready[i] = self.vectors(text)  # <- culprit
        return self.ready[i], intent  # <- culprit


def pad_batch(items):
    seqs, intents = zip(*items)
    return pad_sequence(list(seqs), batch_first=True), torch.tensor(intents)
