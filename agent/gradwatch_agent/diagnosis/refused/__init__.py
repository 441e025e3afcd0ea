"""What torch refused in the user's own statement, or a gradient that is not there: what is the
matter with which tensor, and what to write instead. Errors of a backward are told elsewhere.

Holds tensors and frames only while it is asked.
"""

from gradwatch_agent.diagnosis.refused.answering import of_refused

__all__ = ["of_refused"]
