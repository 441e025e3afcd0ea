import torch
from torch import nn
from torch.nn.functional import normalize


class TwoTower(nn.Module):
    def __init__(self, n_img, n_txt, width):
        super().__init__()
        self.img = nn.Sequential(nn.Linear(n_img, 32), nn.GELU(), nn.Linear(32, width))
        self.txt = nn.Sequential(nn.Linear(n_txt, 32), nn.GELU(), nn.Linear(32, width))
        self.log_scale = nn.Parameter(torch.tensor(1.5))

    @property
    def scale(self):
        return self.log_scale.exp()

    def forward(self, img, txt):
        return normalize(self.img(img), dim=-1), normalize(self.txt(txt), dim=-1)
