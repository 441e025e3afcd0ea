# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(21)

from .callbacks import BestSoFar, ShadowWeights, Speak
from .engine import Engine
from .model import Denoiser

engine = Engine(Denoiser(), [ShadowWeights(0.99), BestSoFar(), Speak(150)])
engine.fit(600)
