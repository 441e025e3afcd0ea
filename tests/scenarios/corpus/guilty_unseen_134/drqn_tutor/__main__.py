# gradwatch-corpus: kind=second-backward
# holder: self.carry | carry.c | self.carry.c | tutor.carry.c | tutor.carry
# first-bad: 1
# notice: 0
"""Recurrent Q-learning over a long session of exercises with one pupil population."""
import torch

torch.set_num_threads(1)

from .session import PupilPool
from .tutor import Tutor

torch.manual_seed(23)
tutor = Tutor(PupilPool(pupils=6, skills=4), span=8)
print(tutor.teach(segments=300))
