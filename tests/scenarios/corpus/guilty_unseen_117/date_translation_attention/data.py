import random
import torch

MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
VOCAB_IN = sorted(set('0123456789 ' + ''.join(MONTHS)))
VOCAB_OUT = ['<', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '-']
SOS = 0


def make_pair():
    d = random.randint(1, 28)
    m = random.randint(0, 11)
    y = random.randint(60, 99)
    return '%02d %s %02d' % (d, MONTHS[m], y), '%02d-%02d-%02d' % (y, m + 1, d)


def to_batch(pairs):
    a = [[VOCAB_IN.index(c) for c in s] for s, _ in pairs]
    b = [[VOCAB_OUT.index(c) for c in t] for _, t in pairs]
    return torch.tensor(a), torch.tensor(b)
