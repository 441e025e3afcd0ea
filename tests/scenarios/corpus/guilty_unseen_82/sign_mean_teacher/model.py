from torch import nn


class SignEncoder(nn.Module):
    def __init__(self, in_dim, hidden, num_signs):
        super().__init__()
        self.proj = nn.Conv1d(in_dim, hidden, 3, padding=1)
        self.mix = nn.Conv1d(hidden, hidden, 5, padding=2, groups=4)
        self.norm = nn.LayerNorm(hidden)
        self.act = nn.GELU()
        self.head = nn.Linear(hidden, num_signs)

    def forward(self, clip):
        h = self.act(self.proj(clip.transpose(1, 2)))
        h = h + self.act(self.mix(h))
        return self.head(self.norm(h.mean(-1)))
