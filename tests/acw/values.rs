//! The values of combat, worked by hand.

use musterd_acw::event::{Event, Factor, Part};
use musterd_acw::model::Side;
use musterd_acw::order::Act;

use crate::fixture::{Field, Stage, a, b, dice};

#[test]
fn a_typical_brigade_fires_at_another_in_fields() {
    let mut field = Field::of("fields");
    field.add(Side::A, "0505", |_| {});
    field.add(Side::B, "0605", |_| {});
    let mut stage = Stage::of(field);
    stage.aim(dice(&[], &[]));
    stage.act(a(1), Act::Skirmish);
    stage.act(b(1), Act::Withdraw);
    let events = stage.fight(dice(
        &[("fire/vulnerable/b1", &[1]), ("fire/vulnerable/a1", &[3]), ("fire/order/a1", &[0])],
        &[("fire/order/b1", 0), ("fire/hit", 1), ("check", 7)],
    ));
    let Event::Fired(shot) = &events[0] else { panic!("{events:?}") };
    // Eight points, half of eight, a quarter of two; experience and leadership 1 each above 4; rifle muskets 4; half of cover 1, and cover 1: 17.
    let parts = [
        Part(Factor::Strength, 50),
        Part(Factor::Experience, 4),
        Part(Factor::Leadership, 4),
        Part(Factor::SmallArms, 16),
        Part(Factor::OwnCover, -2),
        Part(Factor::Cover, -4),
    ];
    assert_eq!((shot.fire.as_slice(), shot.value), (parts.as_slice(), 17));
    // Cohesion 6, half of ten, infantry 6, 18 points 6, the die 1.
    assert_eq!(shot.vulnerability, 24);
    assert_eq!((shot.attacker, shot.cohesion_lost), (a(1), 0));
}
