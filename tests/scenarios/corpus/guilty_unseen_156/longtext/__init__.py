"""Segment-recurrent character model."""
