# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)

from .server import Server

torch.manual_seed(33)
srv = Server(clients=5)
for rnd in range(15):
    print(rnd, round(srv.round(), 4))
